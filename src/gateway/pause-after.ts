/** Work for one request that is not slowed down, in milliseconds. */
const freeMs = 5;

/**
 * How long an epoch waits before its next request is read, in milliseconds, by what its last one cost the gateway: as long
 * again, so that one that only makes work leaves half of the time to its neighbours. 0 for ordinary requests.
 */
export function pauseAfter(costMs: number): number {
  return costMs > freeMs ? costMs : 0;
}
