import type { HarnessDigest, TaskId } from '../schema/ids.ts';
import type { AttemptRecord, ExperimentRecord, JudgementRecord } from '../schema/record.ts';
import { rewardOf } from './outcome.ts';

/** The attempts of one experiment that stand for (revision, task, replicate); replicate 0 is the planned one. */
export interface CanonicalAttempts {
  /** Undefined before the first record. */
  of(revision: HarnessDigest, task: TaskId, replicate?: number): AttemptRecord | undefined;
  /** Those that count. */
  readonly all: readonly AttemptRecord[];
  /** Every attempt record in the order given, those that count among them, each with the judgement that counts. */
  readonly records: readonly AttemptRecord[];
}

/**
 * Of each (revision, task, replicate) the first record that is not infrastructure, else the latest failure. Epochs are
 * compared by number, whatever file or order they come in; arms that share an attempt share its record. An attempt whose
 * judge failed takes the first later judgement that gives a score. Expects the records of one experiment: there task digest
 * and conditions are the same throughout.
 */
export function canonicalAttempts(records: readonly ExperimentRecord[]): CanonicalAttempts {
  const attempts = withJudgements(records);
  const canonical = new Map<string, AttemptRecord>();
  for (const record of attempts.toSorted(
    (left, right) => left.epoch - right.epoch || (left.at < right.at ? -1 : left.at > right.at ? 1 : 0),
  )) {
    const key = keyOf(record.revision, record.task, record.replicate);
    const earlier = canonical.get(key);
    if (earlier === undefined || earlier.outcome.kind === 'unscored_infra') canonical.set(key, record);
  }
  return {
    of: (revision, task, replicate = 0) => canonical.get(keyOf(revision, task, replicate)),
    all: [...canonical.values()],
    records: attempts,
  };
}

/** Whether an attempt may be judged again: it ran, and its judge failed. */
export function isJudgeFailure({ outcome }: Pick<AttemptRecord, 'outcome'>): boolean {
  return outcome.kind === 'unscored_infra' && outcome.phase === 'judge';
}

function withJudgements(records: readonly ExperimentRecord[]): AttemptRecord[] {
  const later = new Map<string, JudgementRecord>();
  for (const record of records) {
    if (record.kind !== 'judgement' || rewardOf(record.outcome) === null) continue;
    const id = `${record.key} ${record.epoch}`;
    const earlier = later.get(id);
    if (earlier === undefined || record.judgement < earlier.judgement) later.set(id, record);
  }
  return records
    .filter((record) => record.kind === 'attempt')
    .map((attempt) => {
      const again = isJudgeFailure(attempt) ? later.get(`${attempt.key} ${attempt.epoch}`) : undefined;
      if (again === undefined) return attempt;
      const { outcome, judged, judges, blobs } = again;
      return { ...attempt, outcome, judged, judges, blobs: { ...attempt.blobs, ...blobs } };
    });
}

function keyOf(revision: string, task: string, replicate: number): string {
  return `${revision} ${task} ${replicate}`;
}
