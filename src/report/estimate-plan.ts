import { aceBatchCount } from '../domain/ace-batch-count.ts';
import { type AttemptDraw, attemptDraws, figuresOf } from '../domain/attempt-draws.ts';
import { canonicalAttempts } from '../domain/canonical-attempts.ts';
import { drawOf, likelyTotal } from '../domain/likely-total.ts';
import type { Draw } from '../schema/draw.ts';
import { rewardOf } from '../domain/outcome.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { AttemptRecord, ExperimentRecord } from '../schema/record.ts';
import { estimateMoney } from './estimate-money.ts';
import { modelName } from './model-name.ts';
import type { Estimate, EstimateBasis, PlanEstimate, PlannedPart } from './plan-estimate.ts';

/** An experiment of the same data home, for what its attempts tell about the next ones. */
export interface EarlierExperiment {
  readonly lock: ExperimentLock;
  readonly records: readonly ExperimentRecord[];
}

/** What an attempt takes of its limits where nobody ran one: declared, not measured. */
const undeclared = { tokens: 0.1, wall: 0.25 } as const;
const hourMs = 3_600_000;

/**
 * What an experiment still has to do, from its frozen config and the records of the data home; pure. `known`: the same
 * contents were stored before, and `own` are their records.
 */
export function estimatePlan(
  lock: ExperimentLock,
  own: readonly ExperimentRecord[],
  known: boolean,
  earlier: readonly EarlierExperiment[],
): PlanEstimate {
  const { identity, operational } = lock;
  const { budgets } = identity;
  const evolving = identity.arms.filter(({ updater }) => updater !== 'static').length;
  const parts = plannedParts(lock, own, evolving);
  const open = parts.reduce((sum, { attempts, reused }) => sum + attempts - reused, 0);
  const solver = solverDraws(lock, own, earlier);
  const tokensEach = drawOf(figuresOf(solver.draws, 'tokens')) ?? declared(budgets.attempt.tokens * undeclared.tokens);
  const longest = Math.max(0, ...identity.tasks.map(({ wallMs }) => wallMs));
  const wallEach = drawOf(figuresOf(solver.draws, 'wallMs')) ?? declared(longest * undeclared.wall);
  const retries = 1 + budgets.attempt.infrastructureRetries;
  const solverTokens = capped(
    { ...totalOf(open, tokensEach), ceiling: open * budgets.attempt.tokens * retries },
    budgets.experiment?.solverTokens,
  );
  const updaterLimit = budgets.arm.updaterTokens * evolving;
  const feedback = openOf(parts, 'feedback');
  const updater = updaterDraw(lock, earlier, tokensEach);
  const updaterTokens = capped({ ...totalOf(feedback, updater.each), ceiling: updaterLimit }, updaterLimit);
  const searchLimit = evolving * budgets.arm.searchHours * hourMs;
  const money = estimateMoney(lock, {
    open,
    solverTokens,
    updaterTokens,
    draws: solver.draws,
    earlier,
    parts,
    own,
  });
  return {
    version: 1,
    experiment: lock.id,
    name: identity.name,
    digest: lock.digest,
    lanes: operational.lanes,
    standing: known ? 'known' : 'new',
    parts,
    attempts: { p50: open, p90: open, ceiling: open * retries },
    queries: {
      planned: identity.arms.reduce((sum, arm) => sum + (arm.updater === 'static' ? 1 : 1 + candidatesOf(lock)), 0),
      limit: budgets.arm.selectionQueries * identity.arms.length,
    },
    solverTokens,
    updaterTokens: { ...updaterTokens, limit: updaterLimit },
    wallMs: {
      ...overLanes(totalOf(open, wallEach), operational.lanes),
      ceiling: ceilingMs(parts, longest, operational.lanes, retries, searchLimit),
      searchLimit,
    },
    ...money,
    solverBasis: solver.basis,
    updaterBasis: updater.basis,
  };
}

function plannedParts(lock: ExperimentLock, own: readonly ExperimentRecord[], evolving: number): PlannedPart[] {
  const tasks = (wanted: (split: string) => boolean): number =>
    lock.identity.tasks.filter(({ split }) => wanted(split)).length;
  const h0 = lock.identity.harness;
  const scored = canonicalAttempts(own).all.filter(({ outcome }) => rewardOf(outcome) !== null);
  const reused = (wanted: (record: AttemptRecord) => boolean): number => scored.filter(wanted).length;
  const selection = tasks((split) => split === 'selection');
  const part = (name: PlannedPart['part'], attempts: number, done: number): PlannedPart => {
    return { part: name, attempts, reused: Math.min(attempts, done) };
  };
  return [
    part(
      'baseline',
      selection,
      reused(({ split, revision }) => split === 'selection' && revision === h0),
    ),
    part(
      'feedback',
      evolving * tasks((split) => split === 'feedback'),
      reused(({ split }) => split === 'feedback'),
    ),
    part(
      'selection',
      evolving * candidatesOf(lock) * selection,
      reused(({ split, revision }) => split === 'selection' && revision !== h0),
    ),
    part(
      'final',
      tasks((split) => split.startsWith('final')) * (1 + evolving),
      reused(({ split }) => split.startsWith('final')),
    ),
  ];
}

/** Candidates that one search comes to where nothing stops it. */
function candidatesOf({ identity }: ExperimentLock): number {
  const feedback = identity.tasks.filter(({ split }) => split === 'feedback').length;
  return aceBatchCount(identity.budgets.arm, feedback);
}

function openOf(parts: readonly PlannedPart[], name: PlannedPart['part']): number {
  return parts.filter(({ part }) => part === name).reduce((sum, { attempts, reused }) => sum + attempts - reused, 0);
}

/** Attempts of the same solver model, this experiment's own first among them. */
function solverDraws(
  lock: ExperimentLock,
  own: readonly ExperimentRecord[],
  earlier: readonly EarlierExperiment[],
): { readonly draws: readonly AttemptDraw[]; readonly basis: EstimateBasis } {
  const key = modelName(lock.identity.models.solver).key;
  const alike = earlier.filter((other) => modelName(other.lock.identity.models.solver).key === key);
  const sources = [{ id: lock.id as string, records: own }, ...alike.map((each) => ({ id: each.lock.id, ...each }))];
  const drawn = sources
    .map(({ id, records }) => ({ id, draws: attemptDraws(records) }))
    .filter(({ draws }) => draws.length > 0);
  const draws = drawn.flatMap((source) => source.draws);
  if (draws.length === 0) return { draws, basis: { kind: 'defaults' } };
  return { draws, basis: { kind: 'records', attempts: draws.length, experiments: drawn.map(({ id }) => id) } };
}

/** What an updater takes for each feedback attempt: as earlier ones of the same model did, else as much as the attempt. */
function updaterDraw(
  lock: ExperimentLock,
  earlier: readonly EarlierExperiment[],
  attempt: Draw,
): { readonly each: Draw; readonly basis: EstimateBasis } {
  const key = modelName(lock.identity.models.updater).key;
  const told = earlier
    .filter((other) => modelName(other.lock.identity.models.updater).key === key)
    .flatMap(({ lock: other, records }) => {
      const feedback = records.filter((record) => record.kind === 'attempt' && record.split === 'feedback').length;
      const latest = new Map(
        records.flatMap((record) =>
          record.kind === 'usage' && record.role === 'updater' ? [[record.arm, record]] : [],
        ),
      );
      const charged = [...latest.values()].reduce((sum, record) => sum + record.charged, 0);
      return feedback === 0 || charged === 0 ? [] : [{ id: other.id, feedback, each: charged / feedback }];
    });
  const each = drawOf(told.map((entry) => entry.each));
  if (each === null) return { each: attempt, basis: { kind: 'defaults' } };
  const attempts = told.reduce((sum, { feedback }) => sum + feedback, 0);
  return { each, basis: { kind: 'records', attempts, experiments: told.map(({ id }) => id) } };
}

/** A declared mean that may as well be twice or nothing. */
function declared(mean: number): Draw {
  return { mean, deviation: mean };
}

function totalOf(count: number, each: Draw): Pick<Estimate, 'p50' | 'p90'> & { p50: number; p90: number } {
  return { p50: Math.ceil(count * each.mean), p90: likelyTotal(count, each) };
}

/** Nothing goes beyond its cap. */
function capped(
  { p50, p90, ceiling }: { p50: number; p90: number; ceiling: number },
  cap: number | undefined,
): { p50: number; p90: number; ceiling: number } {
  const most = cap === undefined ? ceiling : Math.min(cap, ceiling);
  return { p50: Math.min(p50, ceiling), p90: Math.min(p90, ceiling), ceiling: most };
}

function overLanes({ p50, p90 }: { p50: number; p90: number }, lanes: number): { p50: number; p90: number } {
  return { p50: Math.ceil(p50 / lanes), p90: Math.ceil(p90 / lanes) };
}

/** Baseline and finals with every attempt at its wall limit and retried, and each search to the end of its time. */
function ceilingMs(
  parts: readonly PlannedPart[],
  longest: number,
  lanes: number,
  retries: number,
  searchLimit: number,
): number {
  const attempts = openOf(parts, 'baseline') + openOf(parts, 'final');
  return Math.ceil(attempts / lanes) * longest * retries + searchLimit;
}
