import { attemptKey } from '../domain/attempt-key.ts';
import { AnnealError } from '../domain/errors.ts';
import { progressOf } from '../report/status/progress.ts';
import { revisionsOf } from '../report/revisions.ts';
import type { ToldAttempt } from '../report/attempt/attempt-story.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../schema/record.ts';

/** Replicates among which an attempt without a record is looked for. */
const replicates = [0, 1, 2, 3];

/** Attempts that a person means, those that run for the first time among them, and the epoch where one was named. */
export interface MeantAttempts {
  readonly attempts: readonly ToldAttempt[];
  readonly epoch: number | null;
  /** Whether they are on selection or final tasks of an experiment that is not closed. */
  readonly sealed: boolean;
}

/**
 * Attempts that a person means: the start of a key (4 characters or more), a task's id or the part after its slash, with
 * `#n` for one epoch; each attempt once. `keys` are those that the ledger knows, recorded or not; `next` is what is advised where sealed ones are refused.
 * @throws AnnealError ANL-1015 when none fits; ANL-1011 for sealed ones unless `openSealed`.
 */
export function findAttempts(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  keys: readonly string[],
  wanted: string,
  openSealed: boolean,
  next: string | null = null,
): MeantAttempts {
  const { name, epoch } = parsed(wanted);
  const recorded = records.filter((record) => record.kind === 'attempt');
  const known = new Map<string, ToldAttempt>();
  for (const { key, task, revision, replicate } of recorded) known.set(key, { key, task, revision, replicate });
  const unrecorded = new Set(keys.filter((key) => !known.has(key)));
  if (unrecorded.size > 0) {
    for (const attempt of possibleAttempts(lock, records)) {
      if (unrecorded.has(attempt.key)) known.set(attempt.key, attempt);
    }
  }
  const attempts = [...known.values()].filter((attempt) => isMeant(name, attempt));
  const sealed = isSealed(lock, records, name, attempts);
  if (!openSealed) refuseSealed(lock, records, wanted, attempts, next);
  if (attempts.length === 0) throw new AnnealError('ANL-1015', { attempt: wanted, experiment: lock.id });
  return { attempts, epoch, sealed };
}

function parsed(wanted: string): { readonly name: string; readonly epoch: number | null } {
  const [name = '', epoch] = wanted.split('#');
  return { name, epoch: epoch === undefined ? null : Number(epoch) };
}

function isMeant(name: string, { key, task }: { readonly key: string; readonly task: string }): boolean {
  return (name.length >= 4 && key.startsWith(name)) || isTask(name, task);
}

function isTask(name: string, task: string): boolean {
  return task === name || task.slice(task.indexOf('/') + 1) === name;
}

/** Every revision on every task, whether it ran or not. */
function possibleAttempts(lock: ExperimentLock, records: readonly ExperimentRecord[]): ToldAttempt[] {
  const { h0, candidates } = revisionsOf(lock, records);
  return [h0, ...candidates].flatMap(({ digest }) =>
    lock.identity.tasks.flatMap((task) =>
      replicates.map((replicate) => ({
        key: attemptKey(lock, digest, task, replicate),
        task: task.id,
        revision: digest,
        replicate,
      })),
    ),
  );
}

/** One sealed attempt among those that are meant is enough; where none was found, the tasks of that name decide. */
function isSealed(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  name: string,
  found: readonly { readonly task: string }[],
): boolean {
  const meant = new Set(found.map(({ task }) => task));
  const tasks = lock.identity.tasks.filter(({ id }) => (meant.size === 0 ? isTask(name, id) : meant.has(id)));
  return progressOf(records).state === 'open' && tasks.some(({ split }) => split !== 'feedback');
}

function refuseSealed(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  wanted: string,
  found: readonly { readonly task: string }[],
  next: string | null,
): void {
  if (!isSealed(lock, records, parsed(wanted).name, found)) return;
  throw new AnnealError(
    'ANL-1011',
    { experiment: lock.id, state: 'open', action: `asked about ${wanted}` },
    {
      why: 'attempts on selection and final tasks stay sealed until it is closed',
      ...(next === null ? {} : { next }),
    },
  );
}
