import { z } from 'zod';
import { ArmName, AttemptKey, CommitHash, ExperimentId, HarnessDigest, Sha256, TaskId } from './ids.ts';
import { LeaseUsage, Role } from './lease.ts';
import { Outcome, RunClass } from './outcome.ts';
import { Modality, Split } from './splits.ts';

/** Fields that every record line carries. `simulated` and `world` cannot be turned off. */
const Stamp = {
  version: z.literal(1),
  experiment: ExperimentId,
  simulated: z.boolean(),
  /** The simulated world, with its fault profile where it has one; null for real models. */
  world: z.string().nullable(),
  at: z.iso.datetime(),
};

/** What a judge said in short; the whole is the blob `judge`. */
const Judged = z.object({
  delivered: z.boolean(),
  strict: z.boolean(),
  /** From 0 to 100, as in the report; null where the task has no criterion of the kind. */
  semantic: z.number().nullable(),
  preservation: z.number().nullable(),
  interaction: z.number().nullable(),
  failedCategories: z.array(z.string()),
});

/** One sandbox life of one attempt, appended once per (key, epoch). The canonical one is the first that is not infrastructure. */
export const AttemptRecord = z.object({
  kind: z.literal('attempt'),
  ...Stamp,
  key: AttemptKey,
  epoch: z.number().int().positive(),
  /** Arm that asked for it; other arms with the same key reuse it. */
  arm: ArmName,
  phase: z.enum(['baseline', 'search', 'final']),
  split: Split,
  task: TaskId,
  taskDigest: Sha256,
  modality: Modality,
  revision: HarnessDigest,
  replicate: z.number().int().nonnegative(),
  runClass: RunClass,
  outcome: Outcome,
  /** null unless judged. */
  judged: Judged.nullable(),
  /** Digest of the judges as they were when it was judged; null unless judged. */
  judges: Sha256.nullable().default(null),
  usage: LeaseUsage,
  wallMs: z.number().int().nonnegative(),
  /** Level and cgroup kind of the sandbox: `full` or `user`, and `v1`, `v2` or `none`. */
  sandbox: z.object({ level: z.string(), cgroup: z.string() }),
  /** Wall time of each engine phase, in milliseconds. */
  phases: z.record(z.string(), z.number()),
  /** CPU time of keepers and of what ran in their jails, in milliseconds: `keeper`, `jails`, `judgeKeeper`, `judgeJails`. */
  cpuMs: z.record(z.string(), z.number()).default({}),
  /** Blobs, by role: trajectory, judge.json, harness log, commands log, output manifest. */
  blobs: z.record(z.string(), Sha256),
});
export type AttemptRecord = z.infer<typeof AttemptRecord>;

/**
 * A later judgement of an attempt whose first one failed, from the same collected outputs; appended beside the attempt's
 * record, which stays as it is. Of several the first that gives a score counts.
 */
export const JudgementRecord = z.object({
  kind: z.literal('judgement'),
  ...Stamp,
  key: AttemptKey,
  epoch: z.number().int().positive(),
  /** 2 for the first time it is judged again. */
  judgement: z.number().int().min(2),
  split: Split,
  task: TaskId,
  revision: HarnessDigest,
  replicate: z.number().int().nonnegative(),
  outcome: Outcome,
  /** null where judging failed again. */
  judged: Judged.nullable(),
  judges: Sha256,
  /** `judge`: the judge's report, absent where there is none. */
  blobs: z.record(z.string(), Sha256),
});
export type JudgementRecord = z.infer<typeof JudgementRecord>;

/**
 * Bytes that an updater received or wrote, one record per effect: the evidence of a feedback pass, the prompt of a model
 * call, its reply, what a function derived. Together with the files of candidates and the selection numbers it is all that
 * an updater ever sees.
 */
export const DisclosureRecord = z.object({
  kind: z.literal('disclosure'),
  ...Stamp,
  arm: ArmName,
  /** Key of a model call at the gateway; null for anything else. */
  key: AttemptKey.nullable(),
  items: z.array(
    z.object({
      content: z.enum(['evidence', 'prompt', 'reply', 'derived']),
      /** The attempt behind evidence, else null. */
      attempt: AttemptKey.nullable(),
      blob: Sha256,
    }),
  ),
});
export type DisclosureRecord = z.infer<typeof DisclosureRecord>;

/** One selection query of one arm; `exact` is stored, `disclosed` is what the arm received. */
export const QueryRecord = z.object({
  kind: z.literal('query'),
  ...Stamp,
  arm: ArmName,
  /** 0 = H0, n = candidate n. */
  candidate: z.number().int().nonnegative(),
  revision: HarnessDigest,
  /** 1-based; null for a repeated digest, which uses nothing up. */
  query: z.number().int().positive().nullable(),
  state: z.enum(['disclosed', 'released']),
  /** In points, full precision; both null where nothing was disclosed. */
  exact: z.number().nullable(),
  disclosed: z.number().nullable(),
  scored: z.number().int(),
  planned: z.number().int(),
});
export type QueryRecord = z.infer<typeof QueryRecord>;

/** A harness as it was committed. H0 is candidate 0 of the arm named `h0`, and alone has no parent. */
export const RevisionRecord = z.object({
  kind: z.literal('revision'),
  ...Stamp,
  arm: ArmName,
  candidate: z.number().int().nonnegative(),
  commit: CommitHash,
  revision: HarnessDigest,
  parent: CommitHash.nullable(),
  /** Bytes of playbook.md. */
  playbookBytes: z.number().int().nonnegative(),
});
export type RevisionRecord = z.infer<typeof RevisionRecord>;

/** A choice of the engine or of an updater, in order: refusals, findings, freezes, pauses, notes. */
export const DecisionRecord = z.object({
  kind: z.literal('decision'),
  ...Stamp,
  /** null where it is about the whole experiment. */
  arm: ArmName.nullable(),
  /** Noun-verb, for example `candidate-refused`, `champion-frozen`, `search-ended`. */
  event: z.string(),
  reason: z.string(),
  figures: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
});
export type DecisionRecord = z.infer<typeof DecisionRecord>;

/** A frozen champion of an arm. */
export const ChampionRecord = z.object({
  kind: z.literal('champion'),
  ...Stamp,
  arm: ArmName,
  label: z.enum(['gated', 'bestEvolved']),
  candidate: z.number().int().nonnegative(),
  commit: CommitHash,
  revision: HarnessDigest,
  tag: z.string(),
});
export type ChampionRecord = z.infer<typeof ChampionRecord>;

/** Calls that one model answered; parts of their tokens, absent in records of before they were told apart. */
export const ServedModel = z.object({
  model: z.string(),
  calls: z.number().int(),
  /** Read from a prompt cache; a part of the input. */
  cacheRead: z.number().int().nonnegative().optional(),
  /** Written to a prompt cache; a part of the input. */
  cacheWrite: z.number().int().nonnegative().optional(),
  /** A part of the output. */
  reasoning: z.number().int().nonnegative().optional(),
});
export type ServedModel = z.infer<typeof ServedModel>;

/** Ledger totals of one arm and role, projected at phase ends. */
export const UsageRecord = z.object({
  kind: z.literal('usage'),
  ...Stamp,
  arm: ArmName,
  role: Role,
  calls: z.number().int(),
  reported: z.number().int(),
  charged: z.number().int(),
  unknownRows: z.number().int(),
  /** Tokens charged to calls whose end is unknown. */
  unknownCharged: z.number().int(),
  /** Money of the calls whose price was known, in millionths of a dollar; absent in records of before there were prices. */
  microUsd: z.number().int().nonnegative().optional(),
  /** Calls that may have cost something nobody can tell. */
  unpricedCalls: z.number().int().nonnegative().optional(),
  /** Models that answered the role, in all arms, and how often. */
  served: z.array(ServedModel).optional(),
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** One line of `records/*.jsonl` or `sealed/*.jsonl`, whatever its kind. */
export const ExperimentRecord = z.discriminatedUnion('kind', [
  AttemptRecord,
  JudgementRecord,
  DisclosureRecord,
  QueryRecord,
  RevisionRecord,
  DecisionRecord,
  ChampionRecord,
  UsageRecord,
]);
export type ExperimentRecord = z.infer<typeof ExperimentRecord>;
