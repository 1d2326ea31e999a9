import type { CallKey, CallRow, RecordedAnswer } from '../schema/call-row.ts';
import type {
  BudgetKind,
  CapUsage,
  EffectLookup,
  EffectRecord,
  EpochReference,
  ExperimentRegistration,
  ExperimentUsage,
  Grant,
  LeaseClosing,
  LeaseReference,
  LedgerAudit,
  OpenLease,
  QueryDisclosed,
  QueryDisclosure,
  QueryReference,
  QueryReservation,
  RecordAppend,
  RecordQuery,
  ShareHolding,
  StoredRecord,
} from '../schema/gateway.ts';
import type { Halt } from '../schema/halt.ts';
import type { AttemptKey, ExperimentId, Sha256 } from '../schema/ids.ts';
import type { LeaseRequest, LeaseUsage } from '../schema/lease.ts';
import type { Usage } from '../schema/model-call.ts';

/** An epoch as the ledger holds it. */
export interface LeaseState extends LeaseRequest {
  readonly lease: number;
  readonly state: 'open' | 'closed' | 'fenced';
  readonly slot: number;
  /** Opaque directory name below the socket base; the same for the whole epoch. */
  readonly socketName: string;
  readonly token: string;
  /** Wall time that earlier epochs used up. */
  readonly elapsedMs: number;
}

/** One numbered call of a client, before anything is spent. */
export interface CallClaim {
  readonly attemptKey: AttemptKey;
  readonly epoch: number;
  readonly call: number;
  readonly requestHash: Sha256;
}

/**
 * What the record says to a claim. `conflict`: the number was used for another request. `gap`: numbers were left out.
 * `limit`: the attempt has used up what it may.
 */
export type CallStanding =
  /** Answered in this epoch, or now answered from an earlier one (`replayed`). */
  | { readonly kind: 'recorded'; readonly answer: RecordedAnswer; readonly replayed: boolean }
  /** Not in the record: may be reserved and sent. */
  | { readonly kind: 'open' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'gap'; readonly expected: number }
  | { readonly kind: 'limit'; readonly limit: 'calls' | 'tokens'; readonly used: number; readonly allowed: number }
  | { readonly kind: 'fenced'; readonly currentEpoch: number };

/** A call about to be sent, with the most it can draw; all counts are tokens. */
export interface ReservationRequest extends CallClaim {
  /** Local count, without margin. */
  readonly promptTokens: number;
  /** Pinned output cap. Lowered to what the attempt has left, down to `minOutputTokens`. */
  readonly maxOutputTokens: number;
  readonly minOutputTokens: number;
  readonly streamed: boolean;
}

/**
 * `reserved` holds `tokens` until the call is settled. `refused` and `fenced` spend nothing; neither does `halted`,
 * which says that the role's model is not asked now, or `closed`: its experiment is, for good.
 */
export type ReservationResult =
  | { readonly kind: 'reserved'; readonly retryIndex: number; readonly outputCap: number; readonly tokens: number }
  | {
      readonly kind: 'refused';
      readonly limit: 'calls' | 'tokens' | 'budget' | CapUsage['kind'];
      readonly used: number;
      readonly needed: number;
      readonly allowed: number;
      /** Only what others have in flight stands against it: it may fit once that is settled. */
      readonly waits: boolean;
    }
  | { readonly kind: 'halted'; readonly halt: Halt }
  | { readonly kind: 'closed' }
  | { readonly kind: 'fenced'; readonly currentEpoch: number };

/** How a request attempt ended. `answer` is stored in the same transaction; null = the client has to ask again. */
export type CallEnd =
  | {
      readonly kind: 'answered';
      readonly usage: Usage | null;
      readonly servedModel: string;
      readonly answer: RecordedAnswer | null;
      /** Set when the reply was paid for but may not be used. */
      readonly fault: { readonly code: string; readonly detail: string } | null;
    }
  | {
      readonly kind: 'rejected';
      readonly fault: 'infrastructure' | 'agent';
      readonly code: string;
      readonly detail: string;
      readonly answer: RecordedAnswer | null;
    }
  | {
      readonly kind: 'unknown';
      /** null: the attempt itself was over, nobody is at fault. */
      readonly fault: 'infrastructure' | null;
      readonly code: string;
      readonly detail: string;
    };

/**
 * The durable account of everything that may happen once. One owner process; every method is one transaction, synchronous,
 * durable when it returns. Throws `AnnealError` for refusals that a person or supervisor must see, and the database's own
 * error where the disk fails: nothing was then written.
 */
export interface LedgerPort {
  /** Same digest: models are taken over (addresses may change), halts are lifted, budgets stay. Other digest: ANL-2004. */
  registerExperiment(registration: ExperimentRegistration): 'registered' | 'known';
  experiment(id: ExperimentId): ExperimentRegistration;
  /**
   * From now on `reserve` answers `halted` for the role and `openLease` refuses new epochs of it, until its end or the next
   * registration. The first halt of a role stands.
   */
  haltRole(id: ExperimentId, halt: Halt): void;
  /** Those that hold now. */
  halts(id: ExperimentId): readonly Halt[];
  /** Adds to a limit of one arm and returns the new limit; null = unlimited. */
  grant(grant: Grant): number | null;

  /**
   * A newer epoch fences the older ones; the same epoch gets the next lease number. Older epoch: ANL-6006. New epoch of a
   * halted role: ANL-5010. Of an experiment that is closed, any: ANL-6010.
   */
  openLease(request: LeaseRequest): LeaseState;
  leaseState(reference: EpochReference): LeaseState;
  openLeaseStates(): readonly LeaseState[];
  setSocketOwner(reference: LeaseReference, uid: number): void;
  reportElapsed(reference: LeaseReference, elapsedMs: number): void;
  /** Closing twice is one closing. */
  closeLease(closing: LeaseClosing): void;
  leaseUsage(reference: EpochReference): LeaseUsage;
  openLeases(id: ExperimentId): readonly OpenLease[];
  addWaited(reference: EpochReference, waitedMs: number): void;
  /** Notes that the gateway left a call of an open lease without an answer; nothing for a lease that is closed. */
  noteUnserved(claim: Pick<CallClaim, 'attemptKey' | 'epoch' | 'call'>, code: string): void;

  standing(claim: CallClaim): CallStanding;
  reserve(request: ReservationRequest): ReservationResult;
  /** The first end stands; a second one changes nothing. Returns what the row is charged. */
  settle(key: CallKey, end: CallEnd): number;
  /** Charges every reservation left by a process that ended, in full, as `unknown`. Returns how many. */
  reconcile(): number;

  /**
   * Runs `work` in one transaction with whatever others ask for in the same turn of the event loop: one write to the disk
   * for all. Resolves when it is durable; a throw undoes and rejects this work alone.
   */
  shared<Result>(work: () => Result): Promise<Result>;

  getEffect(key: string): EffectLookup;
  putEffect(effect: EffectRecord): { readonly kind: 'stored' | 'existing'; readonly result: unknown };

  reserveQuery(reference: QueryReference): QueryReservation;
  discloseQuery(disclosure: QueryDisclosure): QueryDisclosed;
  releaseQuery(reference: QueryReference): 'released' | 'disclosed';

  /** The record that closes an experiment (`closedKey`) ends its spending: from then on no lease, no reservation. */
  appendRecord(record: RecordAppend): { readonly seq: number; readonly appended: boolean };
  listRecords(query: RecordQuery): readonly StoredRecord[];

  /** Sets how much of the caps a search has to leave, at most what is left; returns the caps as they then stand. */
  holdShare(holding: ShareHolding): readonly CapUsage[];

  usage(id: ExperimentId): ExperimentUsage;
  budgetLimit(id: ExperimentId, arm: LeaseRequest['arm'], kind: BudgetKind): number | null;
  listCalls(id: ExperimentId, after: CallKey | null, limit: number): readonly CallRow[];
  audit(id: ExperimentId): LedgerAudit;

  /** Notes that the owner is alive. After a kill, the time since the last note is added to the waits of open leases. */
  beat(): void;
  /** Call once at start, before `beat`. Returns the outage in ms. */
  accountOutage(): number;
  close(): void;
}
