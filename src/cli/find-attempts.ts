import { AnnealError } from '../domain/errors.ts';
import { progressOf } from '../report/progress.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { AttemptRecord, ExperimentRecord } from '../schema/record.ts';

/**
 * Attempts that a person means: the start of a key (4 characters or more), a task's id or the part after its slash,
 * each with `#n` for one epoch.
 * @throws AnnealError ANL-1015 when none fits, ANL-1011 for selection and final before the experiment is closed.
 */
export function findAttempts(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  wanted: string,
): readonly AttemptRecord[] {
  const [name = '', epoch] = wanted.split('#');
  const found = records
    .filter((record) => record.kind === 'attempt')
    .filter(
      ({ key, task }) =>
        (name.length >= 4 && key.startsWith(name)) || task === name || task.slice(task.indexOf('/') + 1) === name,
    )
    .filter((record) => epoch === undefined || String(record.epoch) === epoch);
  const task = lock.identity.tasks.find(({ id }) => id === name || id.slice(id.indexOf('/') + 1) === name);
  const isSealed =
    progressOf(records).state === 'open' && (found[0]?.split ?? task?.split ?? 'feedback') !== 'feedback';
  if (isSealed) {
    throw new AnnealError(
      'ANL-1011',
      { experiment: lock.id, state: 'open', action: `asked about ${wanted}` },
      { why: 'attempts on selection and final tasks stay sealed until it is closed' },
    );
  }
  if (found.length === 0) throw new AnnealError('ANL-1015', { attempt: wanted, experiment: lock.id });
  return found;
}
