import type { HarnessDigest, TaskId } from '../schema/ids.ts';
import type { AttemptRecord, ExperimentRecord } from '../schema/record.ts';

/** The attempts of one experiment that stand for (revision, task, replicate); replicate 0 is the planned one. */
export interface CanonicalAttempts {
  /** Undefined before the first record. */
  of(revision: HarnessDigest, task: TaskId, replicate?: number): AttemptRecord | undefined;
  readonly all: readonly AttemptRecord[];
}

/**
 * Of each (revision, task, replicate) the first record that is not infrastructure, else the latest failure. Epochs are
 * compared by number, whatever file or order they come in; arms that share an attempt share its record. Expects the
 * records of one experiment: there task digest and conditions are the same throughout.
 */
export function canonicalAttempts(records: readonly ExperimentRecord[]): CanonicalAttempts {
  const attempts = records
    .filter((record) => record.kind === 'attempt')
    .toSorted((left, right) => left.epoch - right.epoch || (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
  const canonical = new Map<string, AttemptRecord>();
  for (const record of attempts) {
    const key = keyOf(record.revision, record.task, record.replicate);
    const earlier = canonical.get(key);
    if (earlier === undefined || earlier.outcome.kind === 'unscored_infra') canonical.set(key, record);
  }
  return {
    of: (revision, task, replicate = 0) => canonical.get(keyOf(revision, task, replicate)),
    all: [...canonical.values()],
  };
}

function keyOf(revision: string, task: string, replicate: number): string {
  return `${revision} ${task} ${replicate}`;
}
