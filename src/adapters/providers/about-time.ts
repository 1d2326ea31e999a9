import type { Rejection } from './classify-rejection.ts';

/** Statuses that say nothing but that somebody waited in vain: for the request, or for an answer to it. */
const TIME_IS_UP = new Set([408, 504, 522, 524]);
/** Turned away, or given up, before anything was sent on to be served. */
const NEVER_SERVED = new Set([525, 526, 529, 530]);
const named = /tim(?:e|ed|ing)[ _-]?out|deadline[ _-]?exceeded/;

/**
 * Whether a complete refusal is about time, whoever signed it: by its status, or by its type, code or text where the status
 * lays the fault on the serving side. Who gave up waiting does not know what was served, and billed, meanwhile. An overload
 * (529, or typed as such), a limit and what is refused for the request's own sake end before anything is served.
 */
export function isAboutTime({ status, code, message }: Pick<Rejection, 'status' | 'code' | 'message'>): boolean {
  if (TIME_IS_UP.has(status)) return true;
  const ofServing = status >= 500 || status === 409 || status === 425 || status === 499;
  if (!ofServing || NEVER_SERVED.has(status) || code.includes('overloaded')) return false;
  return named.test(`${code} ${message}`.toLowerCase());
}
