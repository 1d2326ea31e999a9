import { z } from 'zod';
import { CallRow } from './call-row.ts';
import { Halt } from './halt.ts';
import { ArmName, AttemptKey, ExperimentId, HarnessDigest, Sha256 } from './ids.ts';
import { Lease, LeaseRequest, LeaseUsage, Role } from './lease.ts';
import { ModelBinding } from './model-binding.ts';
import { ModelPrice } from './prices.ts';

const Count = z.number().int().nonnegative();
const Positive = z.number().int().positive();

/** What a budget limits: tokens of one role in one arm, or selection queries of one arm. */
export const BudgetKind = z.enum([...Role.options, 'queries']);
export type BudgetKind = z.infer<typeof BudgetKind>;

/** Every limit holds for each arm by itself; null = no limit. */
export const ExperimentRegistration = z.object({
  experimentId: ExperimentId,
  configDigest: Sha256,
  models: z.partialRecord(Role, ModelBinding),
  budgets: z.object({ solver: Count.nullable(), updater: Count.nullable(), judge: Count.nullable() }),
  queries: Count,
  /** Caps over the whole experiment, all arms; null or absent = none. */
  caps: z.object({ solverTokens: Count.nullable(), microUsd: Count.nullable() }).optional(),
  /** By role; a role without a price has an unknown one. May change when an experiment is registered again. */
  prices: z.partialRecord(Role, ModelPrice).optional(),
});
export type ExperimentRegistration = z.infer<typeof ExperimentRegistration>;

/** One sandbox life of an attempt, whoever acts for it; `epoch` counts from 1. */
export const EpochReference = z.object({ attemptKey: AttemptKey, epoch: Positive });
export type EpochReference = z.infer<typeof EpochReference>;

/** A supervisor's claim; refused when a newer lease or epoch exists. */
export const LeaseReference = EpochReference.extend({ lease: Positive });
export type LeaseReference = z.infer<typeof LeaseReference>;

/** Wall time of this epoch alone, waits excluded or not as the supervisor counts them; the largest told counts. */
export const LeaseClosing = LeaseReference.extend({ elapsedMs: Count.optional() });
export type LeaseClosing = z.infer<typeof LeaseClosing>;

/** A result, stored once under `key`; `kind` names the sort of effect, `result` is any JSON. */
export const EffectRecord = z.object({ key: z.string().min(1).max(512), kind: z.string().min(1), result: z.unknown() });
export type EffectRecord = z.infer<typeof EffectRecord>;

/** `absent` says that the effect may be performed, not that it never began. */
export const EffectLookup = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('found'), effect: EffectRecord }),
  z.object({ kind: z.literal('absent') }),
]);
export type EffectLookup = z.infer<typeof EffectLookup>;

/** One disclosure unit of selection metering. */
export const QueryReference = z.object({
  experimentId: ExperimentId,
  arm: ArmName,
  revisionDigest: HarnessDigest,
  selectionDigest: Sha256,
});
export type QueryReference = z.infer<typeof QueryReference>;

/** `query`: its number in the arm, from 1. `disclosed`: the stored number again, nothing booked. */
export const QueryReservation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reserved'), query: Positive, used: Count, cap: Count }),
  z.object({ kind: z.literal('disclosed'), query: Positive, exact: z.number(), shown: z.number() }),
  z.object({ kind: z.literal('refused'), used: Count, cap: Count }),
]);
export type QueryReservation = z.infer<typeof QueryReservation>;

/** `exact` is stored for the engine, `shown` is what the arm receives. */
export const QueryDisclosure = QueryReference.extend({ exact: z.number(), shown: z.number() });
export type QueryDisclosure = z.infer<typeof QueryDisclosure>;

/** What stands in the ledger after a disclosure; `first` is false where it stood there before. */
export const QueryDisclosed = z.object({ query: Positive, exact: z.number(), shown: z.number(), first: z.boolean() });
export type QueryDisclosed = z.infer<typeof QueryDisclosed>;

/** One record for the experiment's stream; (experiment, stream, key) names it for ever, `body` is any JSON. */
export const RecordAppend = z.object({
  experimentId: ExperimentId,
  stream: z.string().min(1).max(64),
  key: z.string().min(1).max(512),
  body: z.unknown(),
});
export type RecordAppend = z.infer<typeof RecordAppend>;

/** `seq` counts from 1 within the experiment, over all its streams. */
export const StoredRecord = z.object({ seq: Positive, stream: z.string(), key: z.string(), body: z.unknown() });
export type StoredRecord = z.infer<typeof StoredRecord>;

/** A page of an experiment's records in the order of `seq`; without `stream` those of all streams. */
export const RecordQuery = z.object({
  experimentId: ExperimentId,
  /** Records after this `seq`; 0 = from the first. */
  since: Count.default(0),
  stream: z.string().optional(),
  limit: z.number().int().min(1).max(10_000).default(1000),
});
export type RecordQuery = z.input<typeof RecordQuery>;

/** Tokens of one role in one arm over the whole experiment, all epochs. */
const RoleUsage = z.object({
  arm: ArmName,
  role: Role,
  rows: Count,
  rejectedRows: Count,
  unknownRows: Count,
  reported: Count,
  charged: Count,
  /** Charged for rows whose end is unknown; a part of `charged`. */
  unknownCharged: Count,
  /** Held by request attempts in flight. */
  reserved: Count,
  /** null without a limit. */
  limit: Count.nullable(),
  left: Count.nullable(),
  /** Money of the rows whose price was known when they were made, in millionths of a dollar, and what is in flight. */
  microUsd: Count,
  microUsdReserved: Count,
  /** Rows that may have cost something nobody can tell: their price was not known. */
  unpricedRows: Count,
});

/** A cap over the whole experiment. `left` is what a search may still spend: held and reserved amounts are not in it. */
export const CapUsage = z.object({
  kind: z.enum(['solver-tokens', 'money']),
  /** Tokens, or millionths of a dollar; so are the others. */
  limit: Count,
  used: Count,
  reserved: Count,
  /** Kept for the final test and for arms to come. */
  held: Count,
  left: Count,
});
export type CapUsage = z.infer<typeof CapUsage>;

/** How much of the caps a search has to leave; null leaves what is held of that cap as it is. */
export const ShareHolding = z.object({
  experimentId: ExperimentId,
  solverTokens: Count.nullable(),
  microUsd: Count.nullable(),
});
export type ShareHolding = z.infer<typeof ShareHolding>;

/** Everything the ledger knows an experiment to have spent, held and left, at one moment. */
export const ExperimentUsage = z.object({
  roles: z.array(RoleUsage),
  /** Empty where no cap is set. */
  caps: z.array(CapUsage),
  queries: z.array(z.object({ arm: ArmName, used: Count, cap: Count })),
  /** Rows charged in full because their end is unknown. */
  unknown: z.array(CallRow),
  /** Answers by role and served model. Cache reads and writes are parts of their input tokens, reasoning of the output. */
  servedModels: z.array(
    z.object({ role: Role, served: z.string(), rows: Count, cacheRead: Count, cacheWrite: Count, reasoning: Count }),
  ),
  /** Roles that send nothing now. Registering the experiment again lifts them all. */
  halted: z.array(Halt),
});
export type ExperimentUsage = z.infer<typeof ExperimentUsage>;

/** A lease that nobody has closed or fenced yet, with what its epoch used so far. */
export const OpenLease = LeaseReference.extend({
  arm: ArmName,
  role: Role,
  limits: LeaseRequest.shape.limits,
  usage: LeaseUsage,
});
export type OpenLease = z.infer<typeof OpenLease>;

/** `mismatches` is empty when every stored total equals the sum of its rows. */
export const LedgerAudit = z.object({
  rows: Count,
  unsettled: Count,
  reported: Count,
  charged: Count,
  mismatches: z.array(z.string()),
});
export type LedgerAudit = z.infer<typeof LedgerAudit>;

/** Moves one arm's limit of one kind while the experiment runs. */
export const Grant = z.object({
  experimentId: ExperimentId,
  arm: ArmName,
  kind: BudgetKind,
  /** Tokens or queries; negative lowers. Below what is spent: accepted, nothing new starts. */
  delta: z.number().int(),
  /** The same id again changes nothing. */
  requestId: z.string().min(1).max(128),
});
export type Grant = z.infer<typeof Grant>;

const GatewayHealth = z.object({
  version: z.string(),
  pid: Positive,
  startedAt: Count,
  openLeases: Count,
  callsInFlight: Count,
});

const ExperimentReference = z.object({ experimentId: ExperimentId });
const Done = z.object({});

/** The control socket: `POST /v1/<operation>`, JSON both ways; an error is `{"error": ErrorDocument}`. All idempotent. */
export const controlOperations = {
  registerExperiment: { request: ExperimentRegistration, reply: z.object({ kind: z.enum(['registered', 'known']) }) },
  openLease: { request: LeaseRequest, reply: Lease },
  /** Gives the front's socket to a jail's uid; remembered over restarts. */
  setSocketOwner: { request: LeaseReference.extend({ uid: Count }), reply: Done },
  reportElapsed: { request: LeaseReference.extend({ elapsedMs: Count }), reply: Done },
  closeLease: { request: LeaseClosing, reply: LeaseUsage },
  leaseUsage: { request: EpochReference, reply: LeaseUsage },
  openLeases: { request: ExperimentReference, reply: z.object({ leases: z.array(OpenLease) }) },
  getEffect: { request: EffectRecord.pick({ key: true }), reply: EffectLookup },
  /** In the order of the keys. */
  getEffects: {
    request: z.object({ keys: z.array(EffectRecord.shape.key).max(16) }),
    reply: z.object({ effects: z.array(EffectLookup) }),
  },
  /** The first result of a key stands; later ones are answered with it. */
  putEffect: { request: EffectRecord, reply: z.object({ kind: z.enum(['stored', 'existing']), result: z.unknown() }) },
  reserveQuery: { request: QueryReference, reply: QueryReservation },
  discloseQuery: { request: QueryDisclosure, reply: QueryDisclosed },
  releaseQuery: { request: QueryReference, reply: z.object({ kind: z.enum(['released', 'disclosed']) }) },
  /** `appended: false`: the (experiment, stream, key) was there already and its first body stands. */
  appendRecord: { request: RecordAppend, reply: z.object({ seq: Positive, appended: z.boolean() }) },
  listRecords: { request: RecordQuery, reply: z.object({ records: z.array(StoredRecord) }) },
  usage: { request: ExperimentReference, reply: ExperimentUsage },
  /** Sets what is held; never more than is left, nothing of what a search has spent is taken back. */
  holdShare: { request: ShareHolding, reply: z.object({ caps: z.array(CapUsage) }) },
  halts: { request: ExperimentReference, reply: z.object({ halts: z.array(Halt) }) },
  grant: { request: Grant, reply: z.object({ limit: z.number().int().nullable() }) },
  listCalls: {
    request: ExperimentReference.extend({
      after: CallRow.pick({ attemptKey: true, epoch: true, call: true, retryIndex: true }).nullable().default(null),
      limit: z.number().int().min(1).max(10_000).default(1000),
    }),
    reply: z.object({ calls: z.array(CallRow) }),
  },
  auditLedger: { request: ExperimentReference, reply: LedgerAudit },
  health: { request: z.object({}), reply: GatewayHealth },
} as const;

/** Name of an operation, as it stands in the path. */
export type ControlOperation = keyof typeof controlOperations;
/** What a caller sends: fields with a default may be left out. */
export type ControlRequest<Name extends ControlOperation> = z.input<(typeof controlOperations)[Name]['request']>;
/** What a caller gets back, parsed. */
export type ControlReply<Name extends ControlOperation> = z.infer<(typeof controlOperations)[Name]['reply']>;
