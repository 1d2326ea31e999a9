/** Figures of the gateway that no result depends on. */
export interface GatewayPolicy {
  /** Request attempts of one call beyond the first. */
  readonly maxRetries: number;
  /** First back-off; doubles with each retry. Used where the provider names no time. */
  readonly backOffMs: number;
  readonly backOffCapMs: number;
  /** Longest wait before one retry. */
  readonly retryAfterCapMs: number;
  /** How often an end that the disk refuses is written again, and how long between. */
  readonly diskTries: number;
  readonly diskPauseMs: number;
  /** Between two looks whether neighbours left room below a cap. */
  readonly turnMs: number;
  /** A Retry-After beyond this halts the role until then: nobody waits that long without being told. */
  readonly haltAboveWaitMs: number;
  /** How long a role may be served nothing before a call that is given up halts it. */
  readonly haltAfterMs: number;
  /** When a role that was halted for faults that may pass is tried again by itself. */
  readonly tryAgainAfterMs: number;
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

/** What holds where nobody says otherwise. */
export const DEFAULT_GATEWAY_POLICY: GatewayPolicy = {
  maxRetries: 5,
  backOffMs: 1000,
  backOffCapMs: 30_000,
  retryAfterCapMs: 180_000,
  haltAboveWaitMs: 180_000,
  haltAfterMs: 60_000,
  tryAgainAfterMs: 15 * 60_000,
  diskTries: 300,
  diskPauseMs: 1000,
  turnMs: 100,
  minOutputTokens: 256,
  maxBodyBytes: 8 * 1024 * 1024,
  maxConnections: 4,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  closeGraceMs: 5000,
  stopGraceMs: 8000,
};
