import type { LedgerPort } from '../contract/ledger-port.ts';
import type { ProviderSource, TokenCounter } from '../contract/provider-port.ts';
import type { GatewayPolicy } from './gateway-policy.ts';
import type { RoleHealth } from './role-health.ts';

/** Structured log; never given keys, tokens, prompts or replies. */
export interface GatewayLog {
  readonly info: (fields: Readonly<Record<string, unknown>>, event: string) => void;
  readonly warn: (fields: Readonly<Record<string, unknown>>, event: string) => void;
  readonly error: (fields: Readonly<Record<string, unknown>>, event: string) => void;
}

/** Everything a gateway is made of; tests put in fakes, a clock and chance of their own. */
export interface GatewayDependencies {
  readonly ledger: LedgerPort;
  readonly providers: ProviderSource;
  readonly counter: TokenCounter;
  readonly policy: GatewayPolicy;
  readonly health: RoleHealth;
  readonly log: GatewayLog;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** From 0 to 1; spreads back-offs. */
  readonly random: () => number;
  /** Existing directory below which each epoch gets its own; its path must be short. */
  readonly socketBase: string;
  readonly controlSocket: string;
  readonly version: string;
}
