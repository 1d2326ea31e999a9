import type { Activities, PassFold, Revision } from '../src/contract/activities.ts';
import { aggregate } from '../src/domain/aggregate.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { TaskId } from '../src/schema/ids.ts';
import type { AttemptRecord, ExperimentRecord } from '../src/schema/record.ts';
import { attemptKey } from './attempt-key.ts';
import { canonicalAttempts } from './canonical-attempts.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';

/** Fold one revision's canonical outcomes over a planned set. */
export function foldPass({ experiments }: ActivityDependencies, records: RecordStore): Activities['foldPass'] {
  return async ({ experimentId, revision, taskIds, replicate }) => {
    const lock = await experiments.lock(experimentId);
    return foldOf(lock, await records.all(experimentId), revision, taskIds, replicate).fold;
  };
}

/** The fold and the canonical records behind it, in task-id order; tasks without a record are absent from the latter. */
export function foldOf(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  revision: Revision,
  taskIds: readonly TaskId[],
  replicate: number,
): { readonly fold: PassFold; readonly attempts: readonly AttemptRecord[] } {
  const canonical = canonicalAttempts(records);
  const wanted = new Set<string>(taskIds);
  const attempts = lock.identity.tasks
    .filter((task) => wanted.has(task.id))
    .flatMap((task) => {
      const record = canonical.get(attemptKey(lock, revision.digest, task, replicate));
      return record === undefined ? [] : [record];
    });
  const folded = aggregate(
    taskIds,
    attempts.map(({ task, outcome }) => ({ taskId: task, outcome })),
  );
  return {
    attempts,
    fold: {
      mean: folded.mean,
      scored: folded.scored,
      agentErrors: folded.agentErrors,
      infra: folded.infrastructure,
      planned: folded.planned,
    },
  };
}
