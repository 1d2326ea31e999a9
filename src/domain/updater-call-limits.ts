/**
 * Limits of one call of an updater: request attempts, the gateway's retries included, and tokens as charged. It never needs
 * more tokens; its role's budget is the limit that counts.
 */
export const updaterCallLimits = { calls: 12, tokens: 10_000_000 } as const;
