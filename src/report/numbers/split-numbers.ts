import { aggregate, type TaskOutcome } from '../../domain/aggregate.ts';
import { checkCoverage } from '../../domain/coverage-floor.ts';
import { pairedDelta } from '../../domain/paired-delta.ts';
import type { ExperimentLock, LockedTask } from '../../schema/experiment-lock.ts';
import type { HarnessDigest } from '../../schema/ids.ts';
import type { CoverageVerdict, SplitNumbers } from '../../schema/report.ts';
import type { Split } from '../../schema/splits.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';

/** The columns of a report; `all` joins both finals. */
export const reportedSplits = {
  selection: ['selection'],
  inDomain: ['final-in-domain'],
  crossOffice: ['final-cross-office'],
  all: ['final-in-domain', 'final-cross-office'],
} as const satisfies Record<string, readonly Split[]>;
/** The key of a column. */
export type ReportedSplit = keyof typeof reportedSplits;

/** Tasks of some splits, in the lock's order. */
export function tasksOf(lock: ExperimentLock, splits: readonly Split[]): LockedTask[] {
  return lock.identity.tasks.filter(({ split }) => splits.includes(split));
}

/** Canonical outcomes of one revision over some tasks; tasks without a record are absent. */
export function outcomesOf(
  attempts: CanonicalAttempts,
  revision: HarnessDigest,
  tasks: readonly LockedTask[],
): TaskOutcome[] {
  return tasks.flatMap(({ id }) => {
    const record = attempts.of(revision, id);
    return record === undefined ? [] : [{ taskId: id, outcome: record.outcome }];
  });
}

/** One cell of the report. With `sealed`, mean, delta and pairs of finals stay hidden. */
export function splitNumbers(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  revision: HarnessDigest,
  column: ReportedSplit,
  sealed: boolean,
): SplitNumbers {
  const tasks = tasksOf(lock, reportedSplits[column]);
  const ids = tasks.map(({ id }) => id);
  const own = outcomesOf(attempts, revision, tasks);
  const baseline = outcomesOf(attempts, lock.identity.harness, tasks);
  const folded = aggregate(ids, own);
  const delta = pairedDelta(own, baseline);
  const hidden = sealed && column !== 'selection';
  return {
    mean: hidden ? null : folded.points,
    delta: hidden ? null : delta.points,
    pairs: hidden ? 0 : delta.pairs,
    scored: folded.scored,
    agentErrors: folded.agentErrors,
    infra: folded.infrastructure,
    cancelled: folded.cancelled,
    missing: folded.missing,
    planned: folded.planned,
    verdict: hidden ? { kind: 'sealed' } : verdictOf(lock, column, folded, aggregate(ids, baseline)),
  };
}

function verdictOf(
  lock: ExperimentLock,
  column: ReportedSplit,
  own: { readonly scored: number; readonly planned: number },
  baseline: { readonly scored: number; readonly planned: number },
): CoverageVerdict {
  if (own.planned === 0) return { kind: 'empty' };
  const { coverageFloor } = lock.identity.reporting;
  const [split] = reportedSplits[column];
  const verdict = checkCoverage(split, own, coverageFloor);
  if (verdict.kind === 'below_floor') return verdict;
  const h0 = checkCoverage(split, baseline, coverageFloor);
  return h0.kind === 'below_floor' ? { ...h0, kind: 'h0_below_floor' } : { kind: 'covered' };
}
