import { createHash } from 'node:crypto';
import type { AttemptRequest } from '../src/contract/activities.ts';
import { canonicalJson } from '../src/domain/canonical-json.ts';
import type { ExperimentLock, LockedTask } from '../src/schema/experiment-lock.ts';
import type { AttemptKey, HarnessDigest } from '../src/schema/ids.ts';

/** One epoch of an attempt. */
export interface AttemptEpoch extends AttemptRequest {
  readonly key: AttemptKey;
  readonly epoch: number;
}

/**
 * hash(experiment, revision digest, task digest, replicate). The experiment's digest covers judge, runner, environments,
 * model, sampling, budget and seed, so equal keys mean equal conditions.
 */
export function attemptKey(
  lock: ExperimentLock,
  revision: HarnessDigest,
  task: LockedTask,
  replicate: number,
): AttemptKey {
  return keyOf(['attempt', lock.digest, revision, task.id, task.digest, replicate]);
}

/** The key of a metered call of an updater: one action of one arm. */
export function actionKey(lock: ExperimentLock, arm: string, stepKey: string, action: unknown): AttemptKey {
  return keyOf(['action', lock.digest, arm, stepKey, action]);
}

function keyOf(parts: unknown): AttemptKey {
  return createHash('sha256').update(canonicalJson(parts)).digest('hex') as AttemptKey;
}
