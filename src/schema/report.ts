import { z } from 'zod';
import { Budgets } from './budgets.ts';
import { ExperimentConfig } from './experiment-config.ts';
import { ArmName, CommitHash, ExperimentId, HarnessDigest, Sha256, TaskId } from './ids.ts';
import { CapUsage } from './gateway.ts';
import { Role } from './lease.ts';
import { ModelPrice } from './prices.ts';
import { AgentErrorCause } from './outcome.ts';
import { ServedModel } from './record.ts';
import { Modality, Split } from './splits.ts';

const Count = z.number().int().nonnegative();
/** 100 × reward, exact: rounded only where it is shown. */
const Points = z.number();

/** Whether a claim may rest on a number. `h0_below_floor`: the number is covered, the baseline it is compared with is not. */
export const CoverageVerdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('covered') }),
  z.object({
    kind: z.enum(['below_floor', 'h0_below_floor']),
    scored: Count,
    planned: Count,
    floor: z.number().min(0).max(1),
  }),
  /** No task is planned in this split. */
  z.object({ kind: z.literal('empty') }),
  /** A final split of an experiment that is not closed: counts only. */
  z.object({ kind: z.literal('sealed') }),
]);
export type CoverageVerdict = z.infer<typeof CoverageVerdict>;

/** One revision on one split, in numbers of tasks. `scored + infra + cancelled + missing = planned`. */
export const SplitNumbers = z.object({
  /** Mean over scored tasks, agent errors included; null when nothing is scored, or sealed. */
  mean: Points.nullable(),
  /** Revision minus H0 over the tasks that both have scored, before any rounding; null without such a task, or sealed. */
  delta: Points.nullable(),
  /** Tasks behind `delta`. */
  pairs: Count,
  scored: Count,
  /** Those of `scored` whose run ended in an agent error. */
  agentErrors: Count,
  /** Unscored: infrastructure (gateway, keeper, host, judge) failed each time. Never a zero, never part of `mean`. */
  infra: Count,
  cancelled: Count,
  /** Planned, without an outcome. */
  missing: Count,
  planned: Count,
  verdict: CoverageVerdict,
});
export type SplitNumbers = z.infer<typeof SplitNumbers>;

/** A revision's name within its arm: `h0`, `cand-1`, … */
const RevisionName = z.string().regex(/^(h0|cand-[1-9]\d*)$/);

const MeasuredRevision = z.object({
  revision: RevisionName,
  /** null before the commit is recorded. */
  commit: CommitHash.nullable(),
  digest: HarnessDigest,
  selection: SplitNumbers,
  inDomain: SplitNumbers,
  crossOffice: SplitNumbers,
  /** In-domain and cross-office together. */
  all: SplitNumbers,
});
/** A revision with its numbers on every split that is measured; feedback is not. */
export type MeasuredRevision = z.infer<typeof MeasuredRevision>;

/** Tokens, input plus output; null while no total is known. `charged` counts requests of unknown end in full. */
export const TokenCount = z.object({ reported: Count.nullable(), charged: Count.nullable() });
export type TokenCount = z.infer<typeof TokenCount>;
/** Tokens of one arm by who spent them. */
export const RoleTokens = z.object({ solver: TokenCount, updater: TokenCount, judge: TokenCount });
export type RoleTokens = z.infer<typeof RoleTokens>;

/** `gated`: best on selection, H0 included. `bestEvolved`: best among the candidates. */
export const ChampionLabel = z.enum(['gated', 'bestEvolved']);
export type ChampionLabel = z.infer<typeof ChampionLabel>;

/** Who ended a search: the method (`done`), a limit of the arm (`budget`), a cap over the whole experiment (`cap`). */
export const SearchEnd = z.enum(['done', 'budget', 'cap']);

/** One updater's search and what came of it. `gated` may be H0 itself. */
export const ReportedArm = z.object({
  arm: ArmName,
  updater: z.string(),
  /** Why its search ended, null while it goes on. */
  ended: z.string().nullable(),
  /** What ended it: the method itself, a limit of the arm, a cap over the experiment; null while it goes on. */
  endedBy: SearchEnd.nullable(),
  /** Every candidate that was committed, measured or not. */
  candidates: z.array(
    z.object({ revision: RevisionName, commit: CommitHash, digest: HarnessDigest, selection: SplitNumbers }),
  ),
  /** Frozen champions; `claimed` marks the one that the reporting rule names. */
  champions: z.array(MeasuredRevision.extend({ label: ChampionLabel, claimed: z.boolean() })),
  /** Labels without a revision. */
  none: z.array(z.object({ label: ChampionLabel, why: z.string() })),
  /** Selection queries disclosed, H0's included. */
  queries: z.object({ used: Count, cap: Count }),
  tokens: RoleTokens,
});
export type ReportedArm = z.infer<typeof ReportedArm>;

/** How the runs of one revision on one split ended. */
export const OutcomeClasses = z.object({
  /** null for H0, which belongs to no arm. */
  arm: ArmName.nullable(),
  revision: RevisionName,
  split: Split,
  planned: Count,
  /** Scored without an agent error. */
  ended: Count,
  /** Agent errors by cause, with H0's on the same split beside them; causes that occur in neither are left out. */
  agentErrors: z.array(z.object({ cause: AgentErrorCause, count: Count, h0: Count })),
  infra: Count,
  /** Attempts made again after infrastructure failed. Where they are many more than H0's, the revision may have provoked them. */
  repeats: Count,
  cancelled: Count,
  missing: Count,
});
export type OutcomeClasses = z.infer<typeof OutcomeClasses>;

/** A mean over the attempts that have the measurement; a missing one is left out, never 0. */
const Measured = z.object({ mean: z.number().nullable(), records: Count });

const ResourceCell = z.object({
  planned: Count,
  /** Reported input plus output tokens per scored attempt. */
  tokens: Measured,
  /** Wall time per scored attempt, in minutes. */
  minutes: Measured,
});

/** Solver resources of the final attempts behind the reported scores. */
export const SolverResources = z.object({
  /** null for H0. */
  arm: ArmName.nullable(),
  revision: RevisionName,
  byModality: z.array(ResourceCell.extend({ modality: Modality })),
  all: ResourceCell,
});
export type SolverResources = z.infer<typeof SolverResources>;

/** What an arm's search cost and what its claimed champion gained. */
export const UpdateCost = z.object({
  /** null for H0. */
  arm: ArmName.nullable(),
  /** null where the arm has no champion to claim. */
  revision: RevisionName.nullable(),
  /** Cumulative over the search, unsuccessful updates included; null for H0. */
  updater: TokenCount.nullable(),
  /** Reported solver tokens summed over the scored final attempts, and how many of the planned have a full record. */
  finalInference: z.object({ reported: Count.nullable(), records: Count, planned: Count }),
  /** Gain over H0 on complete pairs; null where there is none or it may not be shown. */
  inDomain: Points.nullable(),
  crossOffice: Points.nullable(),
  all: Points.nullable(),
});
export type UpdateCost = z.infer<typeof UpdateCost>;

/** The whole experiment's requests of one role, all arms and phases, from the ledger. */
export const RoleTotal = z.object({
  role: z.enum(['solver', 'updater', 'judge']),
  calls: Count,
  reported: Count,
  charged: Count,
  unknownRows: Count,
  unknownCharged: Count,
  /** Millionths of a dollar; of the priced calls alone where `unpricedCalls` is not 0. null: recorded before there were prices. */
  microUsd: Count.nullable(),
  /** Calls that may have cost something nobody can tell. */
  unpricedCalls: Count,
});
export type RoleTotal = z.infer<typeof RoleTotal>;

/** What the whole experiment cost, as far as prices are known. */
export const MoneyTotals = z.object({
  /** Each model once, with the roles it has. */
  models: z.array(z.object({ model: z.string(), roles: z.array(Role), price: ModelPrice })),
  /** Models whose price is known, free ones included. */
  priced: Count,
  /** Millionths of a dollar over all roles; null before the ledger's totals were recorded. */
  microUsd: Count.nullable(),
  /** Calls that are not in `microUsd`, since nobody can tell their price. */
  unpricedCalls: Count,
});
export type MoneyTotals = z.infer<typeof MoneyTotals>;

/** A cap over the whole experiment: tokens, or millionths of a dollar. `used` is null before totals were recorded. */
export const ReportedCap = z.object({ kind: CapUsage.shape.kind, limit: Count, used: Count.nullable() });
export type ReportedCap = z.infer<typeof ReportedCap>;

/** Which models answered a role, beside the one that is pinned. */
export const ServedModels = z.object({
  role: Role,
  pinned: z.string(),
  policy: z.enum(['exact', 'prefix', 'record']),
  served: z.array(ServedModel),
});
export type ServedModels = z.infer<typeof ServedModels>;

/** Whether an audit passed over these numbers. */
export const AuditStanding = z.discriminatedUnion('kind', [
  /** Never audited. */
  z.object({ kind: z.literal('unaudited') }),
  /** The last audit was clean, of other records than these. */
  z.object({ kind: z.literal('unaudited-since'), at: z.iso.datetime() }),
  z.object({ kind: z.literal('failed'), at: z.iso.datetime(), checks: Count, failed: Count }),
  /** The last audit was clean, of these very records. */
  z.object({
    kind: z.literal('audited'),
    at: z.iso.datetime(),
    checks: Count,
    records: z.object({ count: Count, digest: Sha256 }),
  }),
]);
export type AuditStanding = z.infer<typeof AuditStanding>;

/** `anneal report --json`, version 1. A pure function of lock, records and last audit: the same give the same bytes. */
export const Report = z.object({
  version: z.literal(1),
  experiment: ExperimentId,
  name: z.string(),
  digest: Sha256,
  engine: z.string(),
  createdAt: z.iso.datetime(),
  simulated: z.boolean(),
  /** The simulated world, with its fault profile where it has one; null for real models. */
  world: z.string().nullable(),
  /** Sentences that belong to every use of these numbers. */
  labels: z.array(z.string()),
  /** `open`: finals are sealed and shown as counts. */
  state: z.enum(['open', 'complete', 'cancelled']),
  phase: z.string(),
  audit: AuditStanding,
  reporting: ExperimentConfig.shape.reporting.unwrap(),
  budgets: Budgets,
  baseline: MeasuredRevision,
  arms: z.array(ReportedArm),
  outcomes: z.array(OutcomeClasses),
  /** Planned tasks that have no score, by id. Finals are listed once the experiment is closed. */
  unscored: z.array(
    z.object({
      arm: ArmName.nullable(),
      revision: RevisionName,
      split: Split,
      task: TaskId,
      why: z.string(),
    }),
  ),
  /** All records, repeats after infrastructure failures included, and the canonical ones among them. */
  attempts: z.array(z.object({ split: Split, tasks: Count, records: Count, canonical: Count })),
  resources: z.object({
    solver: z.array(SolverResources),
    updates: z.array(UpdateCost),
    /** null before the ledger's totals were recorded. */
    tokens: z.array(RoleTotal).nullable(),
    money: MoneyTotals,
    /** Caps over the whole experiment; empty without any. */
    caps: z.array(ReportedCap),
  }),
  served: z.array(ServedModels),
  /** What was planned and left out because a limit ended it; empty where nothing was. */
  notDone: z.array(z.object({ arm: ArmName.nullable(), what: z.string() })),
  decisions: z.array(
    z.object({ at: z.iso.datetime(), arm: ArmName.nullable(), event: z.string(), reason: z.string() }),
  ),
  /** Contradictions between records; empty in a sound experiment. */
  findings: z.array(z.object({ code: z.string(), text: z.string() })),
});
export type Report = z.infer<typeof Report>;
