import type { GatewayPolicy } from './gateway-policy.ts';

/**
 * Milliseconds before retry number `retry` (from 1): what the provider asked for, up to the cap, else a back-off that
 * doubles. `spread`, from 0 to 1, takes up to half of a back-off away so that lanes do not knock together.
 */
export function retryWait(policy: GatewayPolicy, retry: number, retryAfterMs: number | null, spread: number): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, policy.retryAfterCapMs);
  const full = Math.min(policy.backOffCapMs, policy.backOffMs * 2 ** (retry - 1));
  return Math.round(full * (1 - spread / 2));
}
