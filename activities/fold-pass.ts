import type { Revision } from '../src/contract/activities.ts';
import { aggregate, type Aggregate } from '../src/domain/aggregate.ts';
import { canonicalAttempts } from '../src/domain/canonical-attempts.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { TaskId } from '../src/schema/ids.ts';
import type { AttemptRecord, ExperimentRecord } from '../src/schema/record.ts';

/**
 * One revision's canonical outcomes over a planned set, and the records behind them in task-id order; tasks without a
 * record are absent from the latter.
 */
export function foldPass(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  revision: Revision,
  taskIds: readonly TaskId[],
  replicate: number,
): { readonly fold: Aggregate; readonly attempts: readonly AttemptRecord[] } {
  const canonical = canonicalAttempts(records);
  const wanted = new Set<string>(taskIds);
  const attempts = lock.identity.tasks
    .filter(({ id }) => wanted.has(id))
    .flatMap(({ id }) => canonical.of(revision.digest, id, replicate) ?? []);
  const outcomes = attempts.map(({ task, outcome }) => ({ taskId: task, outcome }));
  return { attempts, fold: aggregate(taskIds, outcomes) };
}
