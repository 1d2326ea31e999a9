import type { ProviderResult } from '../../schema/model-call.ts';

export interface Rejection {
  readonly status: number;
  /** `code` and `type` of the error body, lower case, where there are any. */
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs: number | null;
}

type Rejected = Extract<ProviderResult, { kind: 'rejected' }>;

/**
 * What a complete refusal means. 400, 413 and 422 are the request's own fault (context overflow, refusal by a content
 * filter, anything else invalid); every other status is the provider's side, and worth a retry where time can mend it.
 */
export function classifyRejection({ status, code, message, retryAfterMs: waitMs }: Rejection): Rejected {
  const detail = message;
  // Anthropic tells a used-up balance as an invalid request.
  const exhausted = code.includes('insufficient_quota') || /credit balance is too low/i.test(message);
  if (!exhausted && (status === 400 || status === 413 || status === 422)) {
    return {
      kind: 'rejected',
      fault: 'agent',
      code: agentCode(status, code, message),
      retryable: false,
      retryAfterMs: null,
      detail,
    };
  }
  const retryable =
    !exhausted && (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500);
  return {
    kind: 'rejected',
    fault: 'infrastructure',
    code: exhausted ? 'insufficient_quota' : infrastructureCode(status),
    retryable,
    retryAfterMs: waitMs,
    detail,
  };
}

function agentCode(status: number, code: string, message: string): string {
  const text = `${code} ${message}`.toLowerCase();
  if (
    status === 413 ||
    /context[_ ](length|window)|maximum context|context limit|too many tokens|prompt is too long/.test(text)
  )
    return 'context_overflow';
  if (/content[_ ](filter|policy|management)|safety/.test(text)) return 'refusal';
  return 'invalid_request';
}

function infrastructureCode(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'key_refused';
    case 404:
      return 'not_found';
    case 408:
      return 'provider_timeout';
    case 429:
      return 'rate_limited';
    default:
      return `http_${status}`;
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date, in milliseconds from `now`; null where there is none. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, Math.ceil(milliseconds));
  const header = headers.get('retry-after');
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : null;
}
