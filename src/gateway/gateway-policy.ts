/** Figures of the gateway that no result depends on. */
export interface GatewayPolicy {
  /** Request attempts of one call beyond the first. */
  readonly maxRetries: number;
  /** First back-off; doubles with each retry. Used where the provider names no time. */
  readonly backOffMs: number;
  readonly backOffCapMs: number;
  /** Longest wait taken from a Retry-After. */
  readonly retryAfterCapMs: number;
  /** Between two looks whether neighbours left room below a cap. */
  readonly turnMs: number;
  /** The attempt's remaining tokens may lower a call's output cap, but not below this. */
  readonly minOutputTokens: number;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  /** For headers and body together. */
  readonly requestTimeoutMs: number;
  /** How long closing a lease waits for its call in flight before that is given up and charged in full. */
  readonly closeGraceMs: number;
  /** How long stopping the gateway waits for calls in flight; what is left is charged in full at the next start. */
  readonly stopGraceMs: number;
}

export const DEFAULT_GATEWAY_POLICY: GatewayPolicy = {
  maxRetries: 5,
  backOffMs: 1000,
  backOffCapMs: 30_000,
  retryAfterCapMs: 120_000,
  turnMs: 100,
  minOutputTokens: 256,
  maxBodyBytes: 8 * 1024 * 1024,
  maxConnections: 4,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  closeGraceMs: 5000,
  stopGraceMs: 8000,
};
