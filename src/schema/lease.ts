import { z } from 'zod';
import { ArmName, AttemptKey, ExperimentId } from './ids.ts';

/** Who a model call is for; the ledger books tokens and money by it. `updater` covers all analysis calls of a method. */
export const Role = z.enum(['solver', 'updater', 'judge']);
export type Role = z.infer<typeof Role>;

/** One supervisor's claim to act for an attempt; sent by the worker to the gateway's control socket. */
export const LeaseRequest = z.object({
  experimentId: ExperimentId,
  arm: ArmName,
  role: Role,
  /** For updater calls: the action's key. */
  attemptKey: AttemptKey,
  /** Greater than the stored one = a new sandbox life: earlier epochs are fenced. Same = another supervisor of that life. */
  epoch: z.number().int().positive(),
  limits: z.object({
    /** Model calls, retries included. */
    calls: z.number().int().positive(),
    /** Cumulative input + output tokens, charged. */
    tokens: z.number().int().positive(),
  }),
  /** Below 2^31; hash(experiment seed, task, replicate). */
  seed: z.number().int().nonnegative(),
  /** What it may draw on: the final test may also spend what a search has to leave. By default a search. */
  share: z.enum(['search', 'final']).default('search'),
  /** Host uid that gets the front's socket, when the gateway runs as root; may also be set later. */
  uid: z.number().int().nonnegative().optional(),
});
export type LeaseRequest = z.infer<typeof LeaseRequest>;

/** A claim granted. `lease` counts up within the epoch: only the greatest may act, all lower ones are fenced. */
export const Lease = z.object({
  attemptKey: AttemptKey,
  epoch: z.number().int().positive(),
  lease: z.number().int().positive(),
  /** Directory that holds `gateway.sock`; the directory is bound into the jail. */
  socketDirectory: z.string(),
  /** Bearer token of this (attempt, epoch). */
  token: z.string(),
  /** Opaque slot, unique among open leases: host uids are derived from it at level `full`. */
  slot: z.number().int().nonnegative(),
  /** Wall time that earlier epochs used up. */
  elapsedMs: z.number().int().nonnegative(),
});
export type Lease = z.infer<typeof Lease>;

/** What the gateway saw of one attempt; the only source of its counts. */
export const LeaseUsage = z.object({
  calls: z.number().int().nonnegative(),
  retries: z.number().int().nonnegative(),
  /** Calls answered from the record (nothing spent). */
  replayed: z.number().int().nonnegative(),
  /** Spent in this epoch. */
  tokensReported: z.number().int().nonnegative(),
  tokensCharged: z.number().int().nonnegative(),
  /** Charged in earlier epochs for calls answered from the record: counts against the attempt's limit, spends nothing. */
  tokensInherited: z.number().int().nonnegative(),
  /** Rows whose end is unknown and which were charged in full. */
  unknownRows: z.number().int().nonnegative(),
  /** Time spent waiting for 429 and back-off; not part of the attempt's wall time. */
  waitedMs: z.number().int().nonnegative(),
  /** The limit that the epoch's last request did not fit into; null where it did. */
  limitHit: z.enum(['calls', 'tokens', 'budget']).nullable(),
  /** The last request attempt's fault, null when it was answered. */
  lastFault: z.object({ fault: z.enum(['infrastructure', 'agent']), code: z.string() }).nullable(),
  /**
   * Why the gateway had to leave the last call without an answer although it was well-formed: a fault of the provider that
   * retries did not mend, a halted role, a gateway that stops. null once a call was answered or refused for its own sake,
   * and for a call that was still under way when its run ended.
   */
  unserved: z.string().nullable().optional(),
  servedModels: z.array(z.string()),
  /** Money charged in this epoch, in millionths of a dollar; absent where a price is not known. */
  microUsdCharged: z.number().int().nonnegative().optional(),
  /** Call index at which a new epoch's request first differed from the record; null = none. */
  divergedAtCall: z.number().int().positive().nullable(),
});
export type LeaseUsage = z.infer<typeof LeaseUsage>;
