import { APIConnectionError as AnthropicConnectionError, APIError as AnthropicError } from '@anthropic-ai/sdk';
import { APIConnectionError, APIError } from 'openai';
import type { ProviderResult } from '../../schema/model-call.ts';
import { isAboutTime } from './about-time.ts';
import { type Rejection, classifyRejection, retryAfterMs } from './classify-rejection.ts';
import { lostBehindProxy } from './lost-behind-proxy.ts';
import { ToldFailure } from './wire-codec.ts';

/** Codes of a connection that was never made: nothing was sent, nothing can have been billed. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** A request that was sent and has no trustworthy end. Worth a retry unless nobody waits any longer. */
export function lost(code: string, detail: string): ProviderResult {
  return { kind: 'unknown', fault: 'infrastructure', code, retryable: code !== 'aborted', detail };
}

/** What a throw of the SDK, of fetch or of reading a body means. `ended` names our own abort, if it was one. */
export function faultOf(
  error: unknown,
  ended: 'timeout' | 'aborted' | null,
  redact: (text: string) => string,
): ProviderResult {
  const detail = redact(messageOf(error)).slice(0, 500);
  if (ended !== null) return lost(ended, detail);
  if (error instanceof ToldFailure) return toldFailure(error, detail);
  if (error instanceof APIConnectionError || error instanceof AnthropicConnectionError) {
    const code = causeCode(error);
    if (code === null || !NEVER_SENT.has(code)) return lost('connection_lost', detail);
    return {
      kind: 'rejected',
      fault: 'infrastructure',
      code: 'not_reachable',
      retryable: true,
      retryAfterMs: null,
      detail,
    };
  }
  const told = error instanceof APIError || error instanceof AnthropicError;
  if (told && typeof error.status === 'number') {
    const said: Rejection = {
      status: error.status,
      code: `${'code' in error ? (error.code ?? '') : ''} ${error.type ?? ''}`.toLowerCase(),
      parameter: 'param' in error ? (error.param ?? null) : null,
      message: detail,
      retryAfterMs: error.headers === undefined ? null : retryAfterMs(error.headers, Date.now()),
    };
    const rejection = classifyRejection(said);
    const open = isAboutTime(said) || lostBehindProxy(error.status, errorObjectOf(error));
    return open ? lost(rejection.code, detail) : rejection;
  }
  return lost(told ? 'error_in_stream' : 'reply_broken', detail);
}

/** The error object of a body: one SDK hands it out as such, the other the body around it. */
function errorObjectOf({ error }: APIError | AnthropicError): unknown {
  return typeof error === 'object' && error !== null && 'error' in error ? error.error : error;
}

/** A failure told under status 200. One of the request's own making is free; what others cost, nobody knows. */
function toldFailure({ code }: ToldFailure, detail: string): ProviderResult {
  const told = { status: 400, code: code.toLowerCase(), parameter: null, message: detail, retryAfterMs: null };
  const rejection = classifyRejection(told);
  const own = rejection.code === 'context_overflow' || rejection.code === 'refusal' || code.startsWith('invalid_');
  return own ? rejection : lost('error_in_stream', code === '' ? detail : `${code}: ${detail}`.slice(0, 500));
}

function causeCode(error: unknown): string | null {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
    if (inner instanceof AggregateError && inner.errors.length > 0) return causeCode(inner.errors[0]);
  }
  return null;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
