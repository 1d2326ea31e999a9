import { aceBatchCount } from '../../domain/ace-batch-count.ts';
import { type AttemptDraw, attemptDraws, figuresOf } from '../../domain/attempt-draws.ts';
import { drawOf, likelyTotal } from '../../domain/likely-total.ts';
import type { Draw } from '../../schema/draw.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { EarlierExperiment } from './earlier-experiment.ts';
import { estimateMoney } from './estimate-money.ts';
import { openOf, plannedParts, queriesOf, searchMsLeft, searchesLeft } from './planned-parts.ts';
import { progressOf } from '../status/progress.ts';
import { modelName } from '../model-name.ts';
import type { Estimate, EstimateBasis, PlanEstimate, PlannedPart } from './plan-estimate.ts';

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
  const progress = progressOf(own);
  const candidates = candidatesOf(lock);
  const parts = plannedParts(lock, own, progress, candidates);
  const searching = searchesLeft(lock, progress);
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
  const updaterLeft = budgets.arm.updaterTokens * searching.length;
  const updaterTokens = capped({ ...totalOf(feedback, updater.each), ceiling: updaterLeft }, updaterLeft);
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
    standing: progress.state === 'open' ? (known ? 'known' : 'new') : progress.state,
    parts,
    attempts: { p50: open, p90: open, ceiling: open * retries },
    queries: {
      planned: queriesOf(lock, own, progress, candidates),
      limit: budgets.arm.selectionQueries * identity.arms.length,
    },
    solverTokens,
    updaterTokens: { ...updaterTokens, limit: updaterLimit },
    wallMs: {
      ...overLanes(totalOf(open, wallEach), operational.lanes),
      ceiling: ceilingMs(parts, longest, operational.lanes, retries, searchMsLeft(lock, own, progress)),
      searchLimit,
    },
    ...money,
    solverBasis: solver.basis,
    updaterBasis: updater.basis,
  };
}

/** Candidates that one search comes to where nothing stops it. */
function candidatesOf({ identity }: ExperimentLock): number {
  const feedback = identity.tasks.filter(({ split }) => split === 'feedback').length;
  return aceBatchCount(identity.budgets.arm, feedback);
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

/** Baseline and finals with every attempt at its wall limit and retried, and each search that has not ended to the end of its time. */
function ceilingMs(
  parts: readonly PlannedPart[],
  longest: number,
  lanes: number,
  retries: number,
  searchMs: number,
): number {
  const attempts = openOf(parts, 'baseline') + openOf(parts, 'final');
  return Math.ceil(attempts / lanes) * longest * retries + searchMs;
}
