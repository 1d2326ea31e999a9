import type { CallRow } from '../schema/call-row.ts';
import type {
  BudgetKind,
  CapUsage,
  EpochReference,
  ExperimentRegistration,
  LedgerAudit,
  StoredRecord,
} from '../schema/gateway.ts';
import type { ArmName, AttemptKey, ExperimentId, HarnessDigest } from '../schema/ids.ts';
import type { LeaseUsage, Role } from '../schema/lease.ts';
import type { ModelPrice } from '../schema/prices.ts';

/** A limit over all arms of an experiment. */
export type CapKind = CapUsage['kind'];

/** One epoch of an attempt, or of an updater's call, at the gateway. Times in milliseconds, `openedAt` since 1970. */
export interface EpochRow {
  readonly attemptKey: AttemptKey;
  readonly epoch: number;
  readonly arm: ArmName;
  readonly role: Role;
  /** How often a supervisor took this epoch: 1 unless a worker was replaced. */
  readonly lease: number;
  readonly state: 'open' | 'closed' | 'fenced';
  readonly openedAt: number;
  readonly elapsedMs: number;
  /** Wall time that earlier epochs used up. */
  readonly elapsedBeforeMs: number;
  /** What it was held to: model calls, retries included, and tokens as charged. */
  readonly callsLimit: number;
  readonly tokensLimit: number;
  readonly seed: number;
  /** Which part of a cap over the experiment it spends: that of the search, baseline included, or of the final test. */
  readonly share: 'search' | 'final';
}

/** A request attempt with what it was reckoned by. */
export interface BookedCall {
  readonly row: CallRow;
  /** null where the price that its row names is gone. */
  readonly price: ModelPrice | null;
  /** Its stored answer as it stands, a `RecordedAnswer` as JSON; null without one. */
  readonly answer: string | null;
}

/** What an experiment is registered with, its limits apart. */
export type Registered = Pick<ExperimentRegistration, 'configDigest' | 'models' | 'prices'>;

/** One selection query as the ledger booked it. */
export interface BookedQuery {
  readonly arm: ArmName;
  readonly revision: HarnessDigest;
  readonly query: number;
  readonly state: 'reserved' | 'disclosed' | 'released';
  /** In points; null unless disclosed. */
  readonly exact: number | null;
  readonly shown: number | null;
}

/** What the ledger holds, read only; the gateway may write meanwhile. */
export interface LedgerReader {
  /** From now on everything is read as it stands now, whatever is written meanwhile: what is compared belongs together. */
  standStill(): void;
  audit(id: ExperimentId): LedgerAudit;
  /** Every request attempt, in key order. */
  calls(id: ExperimentId): Iterable<CallRow>;
  /** The same with the price and the stored answer of each; of one role where it is named. */
  bookedCalls(id: ExperimentId, role?: Role): Iterable<BookedCall>;
  callsOf(attemptKey: AttemptKey): readonly CallRow[];
  epochs(id: ExperimentId): readonly EpochRow[];
  /** Recounted from the rows. Throws for an epoch without a lease. */
  usageOf(reference: EpochReference): LeaseUsage;
  /** The recorded result of an effect, null without one. */
  effect(key: string): unknown;
  queries(id: ExperimentId): readonly BookedQuery[];
  /** null for an experiment that was never registered. Throws for a registration that cannot be read. */
  registered(id: ExperimentId): Registered | null;
  /** What was registered as limits, by kind: budgets of one arm, caps over all arms; null = no limit. */
  limits(id: ExperimentId): ReadonlyMap<BudgetKind | CapKind, number | null>;
  /** What was added to limits of one arm since they were registered. */
  grants(id: ExperimentId): readonly { readonly arm: ArmName; readonly kind: BudgetKind; readonly delta: number }[];
  /** Queries that an arm may use, grants included. */
  queryCap(id: ExperimentId, arm: ArmName): number;
  /** Answers that are missing or do not hash to the digest of their row. */
  damagedAnswers(id: ExperimentId): readonly string[];
  records(id: ExperimentId): readonly StoredRecord[];
  close(): void;
}
