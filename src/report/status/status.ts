import type { CapUsage } from '../../schema/gateway.ts';
import type { RoleTokens } from '../../schema/report.ts';

/** What a running workflow tells of itself. */
export interface LiveView {
  readonly run: 'running' | 'completed' | 'cancelled' | 'failed';
  readonly phase: string;
  readonly arm: string | null;
  readonly paused: boolean;
  readonly lanes: number;
  /** An effect that fails again and again, and how often so far; absent or null when all goes well. */
  readonly trouble?: { readonly what: string; readonly next?: string | null; readonly tries: number } | null;
}

/** An attempt, or a call of an updater, that has a lease at the gateway now. Its task is not told. */
export interface InFlight {
  /** Its key, as `anneal logs` takes it once the attempt has ended. */
  readonly attempt: string;
  /** Sandbox lives so far, this one included. */
  readonly epoch: number;
  readonly role: string;
  readonly arm: string;
  readonly calls: number;
  readonly callLimit: number;
  /** Requests repeated at the provider, and calls answered from the record of an earlier epoch. */
  readonly retries: number;
  readonly replayed: number;
  readonly tokensReported: number;
  /** Charged in this epoch and inherited from earlier ones: what the limit counts. */
  readonly tokens: number;
  readonly tokenLimit: number;
  /** Time spent waiting for the provider; not counted against its wall limit. */
  readonly waitedMs: number;
  /** The last fault of the provider, null when there was none. */
  readonly lastFault: string | null;
}

/** One background service. */
export interface ServiceView {
  readonly name: string;
  readonly state: 'running' | 'starting' | 'stopped' | 'external';
}

/** Canonical outcomes of a set of attempts. */
export interface AttemptCounts {
  /** Agent errors included. */
  readonly scored: number;
  readonly agentErrors: number;
  readonly infra: number;
  readonly cancelled: number;
  readonly planned: number;
}

/** One revision over one split; finals of all revisions are one pass, so that progress tells no result. */
export interface StatusPass extends AttemptCounts {
  readonly split: 'feedback' | 'selection' | 'final';
  readonly arm: string | null;
  /** null for the finals of all frozen revisions. */
  readonly revision: string | null;
  /** Points; null for finals and for selection below full coverage. */
  readonly mean: number | null;
  /** Against H0 on complete pairs, where `mean` is told. */
  readonly delta: number | null;
}

/** A limit of one arm; `used` and `left` are null when they cannot be read now. */
export interface Allowance {
  readonly used: number | null;
  readonly left: number | null;
  readonly limit: number;
}

/** One updater's search as it stands. `ended` is the reason, null before the end. */
export interface ArmStatus {
  readonly arm: string;
  readonly updater: string;
  readonly state: 'waiting' | 'searching' | 'ended';
  readonly ended: string | null;
  readonly candidates: Allowance;
  readonly selectionQueries: Allowance;
  /** Charged tokens. */
  readonly updaterTokens: Allowance & { readonly reported: number | null };
  readonly searchSeconds: Allowance;
}

/** Millionths of a dollar; calls of unknown price are counted beside the sum, never in it. */
export interface StatusMoney {
  readonly microUsd: number;
  readonly unpricedCalls: number;
  /** Every model is free. */
  readonly free: boolean;
}

/** Something only a person can mend. */
export interface Need {
  readonly what: string;
  readonly command: string;
  /** Of the error table, where it has one. */
  readonly code?: string;
  readonly why?: string;
  readonly notSpent?: string;
}

/** What an experiment waits for; ISO 8601 times, `until` null = no end by itself. */
export interface StatusHold {
  /** A halt of a model (see `Halt`), or `coverage`. */
  readonly kind: string;
  readonly code: string;
  readonly reason: string;
  readonly since: string;
  readonly until: string | null;
}

/** `anneal status EXP --json`, version 1. */
export interface Status {
  readonly version: 1;
  readonly experiment: string;
  readonly name: string;
  readonly createdAt: string;
  readonly simulated: boolean;
  readonly world: string | null;
  readonly labels: readonly string[];
  readonly phase: string;
  /** `stopped`: open, but its workflow does not run or cannot be asked. */
  readonly state: 'running' | 'paused' | 'stopped' | 'failed' | 'complete' | 'cancelled';
  readonly arm: string | null;
  readonly lanes: number;
  /** All passes together. */
  readonly counts: AttemptCounts;
  readonly passes: readonly StatusPass[];
  readonly inFlight: readonly InFlight[];
  readonly budgets: readonly ArmStatus[];
  /** The whole experiment so far, all arms; null figures when the ledger cannot be read now. */
  readonly tokens: RoleTokens;
  /** Money of all roles so far; null when the ledger cannot be read now. */
  readonly money: StatusMoney | null;
  /** Caps over the whole experiment; empty without any, or when the ledger cannot be read now. */
  readonly caps: readonly CapUsage[];
  /** For the pass under way, from the attempts so far; null when it says nothing yet. */
  readonly etaMs: number | null;
  /** Why it is paused other than on request; empty when it is not. */
  readonly holds: readonly StatusHold[];
  readonly needs: readonly Need[];
  readonly next: string;
}
