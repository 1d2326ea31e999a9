import { rewardOf } from '../../domain/outcome.ts';
import type { ExperimentLock, LockedTask } from '../../schema/experiment-lock.ts';
import type { HarnessDigest } from '../../schema/ids.ts';
import type { AttemptRecord } from '../../schema/record.ts';
import type { SolverResources } from '../../schema/report.ts';
import { Modality } from '../../schema/splits.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import type { NamedRevision } from '../revisions.ts';
import { reportedSplits, tasksOf } from './split-numbers.ts';

const msPerMinute = 60_000;

/**
 * Tokens and minutes per scored final attempt, in the shape of the paper's Table A10. Engine time (set-up, judging,
 * queueing) and waits for rate limits are not in the minutes.
 */
export function solverResources(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  { arm, name, digest }: NamedRevision,
): SolverResources {
  const tasks = tasksOf(lock, reportedSplits.all);
  const cell = (wanted: readonly LockedTask[]): SolverResources['all'] => {
    const scored = wanted.flatMap(({ id }) => scoredRecord(attempts.of(digest, id)));
    return {
      planned: wanted.length,
      tokens: meanOf(scored.flatMap((record) => attemptTokens(record) ?? [])),
      minutes: meanOf(scored.filter(({ wallMs }) => wallMs > 0).map(({ wallMs }) => wallMs / msPerMinute)),
    };
  };
  return {
    arm,
    revision: name,
    byModality: Modality.options
      .map((modality) => ({ modality, ...cell(tasks.filter((task) => task.modality === modality)) }))
      .filter(({ planned }) => planned > 0),
    all: cell(tasks),
  };
}

/** Reported solver tokens of the scored finals, and over how many of them; the others have a request without usage. */
export function finalInference(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  digest: HarnessDigest,
): { reported: number | null; records: number; planned: number } {
  const tasks = tasksOf(lock, reportedSplits.all);
  const tokens = tasks
    .flatMap(({ id }) => scoredRecord(attempts.of(digest, id)))
    .flatMap((record) => attemptTokens(record) ?? []);
  return {
    reported: tokens.length === 0 ? null : tokens.reduce((sum, value) => sum + value, 0),
    records: tokens.length,
    planned: tasks.length,
  };
}

function scoredRecord(record: AttemptRecord | undefined): AttemptRecord[] {
  return record !== undefined && rewardOf(record.outcome) !== null ? [record] : [];
}

/** All tokens of one attempt, earlier epochs' answered calls included; null when a request of it told no usage. */
function attemptTokens({ usage }: AttemptRecord): number | null {
  return usage.tokensReported === usage.tokensCharged ? usage.tokensReported + usage.tokensInherited : null;
}

function meanOf(values: readonly number[]): { mean: number | null; records: number } {
  const sum = values.reduce((total, value) => total + value, 0);
  return { mean: values.length === 0 ? null : sum / values.length, records: values.length };
}
