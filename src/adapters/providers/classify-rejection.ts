import type { ProviderResult } from '../../schema/model-call.ts';
import { refusalClaim } from './refusal-claim.ts';

/** A provider's answer other than success, as far as it could be read. */
export interface Rejection {
  readonly status: number;
  /** `code` and `type` of the error body, lower case, where there are any. */
  readonly code: string;
  /** Field of the request that the error body names, null where it names none. */
  readonly parameter: string | null;
  readonly message: string;
  readonly retryAfterMs: number | null;
}

type Rejected = Extract<ProviderResult, { kind: 'rejected' }>;

/**
 * What a complete refusal means. 400, 413, 422 and a 403 of a moderator are the request's own fault (context overflow,
 * refusal by a content filter, anything else invalid) unless the text claims otherwise; every other status is the
 * provider's side, and worth a retry where time can mend it.
 */
export function classifyRejection(rejection: Rejection): Rejected {
  const { status, code, message: detail, retryAfterMs: waitMs } = rejection;
  const moderated = status === 403 && /flagged|moderation/.test(`${code} ${detail}`.toLowerCase());
  if (status === 400 || status === 413 || status === 422 || moderated) {
    const ownFault = agentCode(rejection, moderated);
    const claim = ownFault === 'invalid_request' ? refusalClaim(rejection) : null;
    return {
      kind: 'rejected',
      fault: 'agent',
      code: ownFault,
      retryable: false,
      retryAfterMs: null,
      detail,
      ...(claim === null ? {} : { claim }),
    };
  }
  const exhausted = code.includes('insufficient_quota') || status === 402;
  const retryable = !exhausted && ([408, 409, 425, 429, 499].includes(status) || status >= 500);
  return {
    kind: 'rejected',
    fault: 'infrastructure',
    code: exhausted ? 'credit_gone' : infrastructureCode(status),
    retryable,
    retryAfterMs: waitMs,
    detail,
  };
}

function agentCode({ status, code, message }: Rejection, moderated: boolean): string {
  if (moderated) return 'refusal';
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
      return 'model_unknown';
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
