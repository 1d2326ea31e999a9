import type { ExperimentLock, LockedTask } from '../schema/experiment-lock.ts';
import type { AttemptKey, HarnessDigest } from '../schema/ids.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256Of } from './sha256.ts';

/**
 * hash(experiment, revision digest, task digest, replicate). The experiment's digest covers judge, runner, environments,
 * model, sampling, budget and seed, so equal keys mean equal conditions.
 */
export function attemptKey(
  lock: Pick<ExperimentLock, 'digest'>,
  revision: HarnessDigest,
  task: Pick<LockedTask, 'id' | 'digest'>,
  replicate: number,
): AttemptKey {
  return keyOf(['attempt', lock.digest, revision, task.id, task.digest, replicate]);
}

/** The key of a metered call of an updater: one action of one arm. */
export function actionKey(
  lock: Pick<ExperimentLock, 'digest'>,
  arm: string,
  stepKey: string,
  action: unknown,
): AttemptKey {
  return keyOf(['action', lock.digest, arm, stepKey, action]);
}

function keyOf(parts: unknown): AttemptKey {
  return sha256Of(canonicalJson(parts)) as string as AttemptKey;
}
