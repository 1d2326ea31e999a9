/**
 * Statuses of whoever stands in between: its client left (499), or what came back was no answer to it (502, 520, 521, 523).
 * The request may have been served, and billed, behind it. Those that are about time are lost whoever says them.
 */
const OF_A_PROXY = new Set([499, 502, 520, 521, 523]);

/**
 * Whether a complete refusal leaves open what the provider did. `error` is the error object of the body as far as there was
 * one; with the provider's own (a type and a message in words) the provider itself says that it did not answer.
 */
export function lostBehindProxy(status: number, error: unknown): boolean {
  return OF_A_PROXY.has(status) && !isProvidersOwn(error);
}

function isProvidersOwn(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return 'type' in error && typeof error.type === 'string' && 'message' in error && typeof error.message === 'string';
}
