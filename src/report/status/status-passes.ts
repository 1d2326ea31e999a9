import { aggregate } from '../../domain/aggregate.ts';
import { pairedDelta } from '../../domain/paired-delta.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { HarnessDigest } from '../../schema/ids.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import type { NamedRevision, Revisions } from '../revisions.ts';
import { outcomesOf, reportedSplits, tasksOf } from '../numbers/split-numbers.ts';
import type { AttemptCounts, StatusPass } from './status.ts';

/** Every pass that ran or is planned: selection of H0 and each candidate, feedback as asked for, finals as one. */
export function statusPasses(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  attempts: CanonicalAttempts,
  { h0, candidates }: Revisions,
): StatusPass[] {
  const known = [h0, ...candidates];
  return [
    ...known.map((revision) => selectionPass(lock, attempts, revision)),
    ...known.flatMap((revision) => feedbackPass(lock, attempts, revision)),
    finalPass(lock, attempts, frozenRevisions(lock, records)),
  ];
}

function selectionPass(lock: ExperimentLock, attempts: CanonicalAttempts, revision: NamedRevision): StatusPass {
  const tasks = tasksOf(lock, reportedSplits.selection);
  const ids = tasks.map(({ id }) => id);
  const outcomes = outcomesOf(attempts, revision.digest, tasks);
  const folded = aggregate(ids, outcomes);
  const full = folded.scored === folded.planned;
  const delta = pairedDelta(outcomes, outcomesOf(attempts, lock.identity.harness, tasks));
  return {
    split: 'selection',
    arm: revision.arm,
    revision: revision.name,
    ...countsOf(folded),
    mean: full ? folded.points : null,
    delta: full ? delta.points : null,
  };
}

/** The updater chooses which tasks: planned are those that it had run. */
function feedbackPass(lock: ExperimentLock, attempts: CanonicalAttempts, revision: NamedRevision): StatusPass[] {
  const tasks = tasksOf(lock, ['feedback']);
  const outcomes = outcomesOf(attempts, revision.digest, tasks);
  if (outcomes.length === 0) return [];
  const folded = aggregate(
    outcomes.map(({ taskId }) => taskId),
    outcomes,
  );
  return [
    {
      split: 'feedback',
      arm: revision.arm,
      revision: revision.name,
      ...countsOf(folded),
      mean: folded.points,
      delta: null,
    },
  ];
}

function finalPass(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  revisions: ReadonlySet<HarnessDigest>,
): StatusPass {
  const tasks = tasksOf(lock, reportedSplits.all);
  const ids = tasks.map(({ id }) => id);
  const folds = [...revisions].map((revision) => countsOf(aggregate(ids, outcomesOf(attempts, revision, tasks))));
  return { split: 'final', arm: null, revision: null, ...sumCounts(folds), mean: null, delta: null };
}

/** H0 and every frozen champion, each digest once; before the freeze H0 alone. */
function frozenRevisions(lock: ExperimentLock, records: readonly ExperimentRecord[]): ReadonlySet<HarnessDigest> {
  const champions = records.filter((record) => record.kind === 'champion');
  return new Set([lock.identity.harness, ...champions.map(({ revision }) => revision)]);
}

/** Counts of several sets together. */
export function sumCounts(counts: readonly AttemptCounts[]): AttemptCounts {
  const sum = { scored: 0, agentErrors: 0, infra: 0, cancelled: 0, planned: 0 };
  for (const count of counts) {
    sum.scored += count.scored;
    sum.agentErrors += count.agentErrors;
    sum.infra += count.infra;
    sum.cancelled += count.cancelled;
    sum.planned += count.planned;
  }
  return sum;
}

function countsOf(folded: ReturnType<typeof aggregate>): AttemptCounts {
  return {
    scored: folded.scored,
    agentErrors: folded.agentErrors,
    infra: folded.infrastructure,
    cancelled: folded.cancelled,
    planned: folded.planned,
  };
}
