import type { Activities } from '../src/contract/activities.ts';
import { canonicalAttempts, isJudgeFailure } from '../src/domain/canonical-attempts.ts';
import { AnnealError } from '../src/domain/errors.ts';
import { joinJudgement, rewardOf } from '../src/domain/outcome.ts';
import { JudgeEffect, RunEffect } from '../src/schema/attempt-effect.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { Outcome } from '../src/schema/outcome.ts';
import type { AttemptRecord, JudgementRecord } from '../src/schema/record.ts';
import { attemptEffects } from '../src/domain/effect-keys.ts';
import { CanonicalEffect } from './attempt-standing.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { findEffect, storeEffect } from './effect.ts';
import type { JudgeOutputs } from './judge-attempt.ts';
import { judgeEnd, judgedSummary } from './judged-summary.ts';
import type { RecordStore } from './record-store.ts';

/** Judge the collected outputs of one epoch once more and append what comes of it; an attempt with a score stays as it is. */
export function rejudgeAttempt(
  dependencies: ActivityDependencies,
  records: RecordStore,
  judge: JudgeOutputs,
): Activities['rejudgeAttempt'] {
  const { experiments } = dependencies;
  return async ({ experimentId, key, epoch, judgement }) => {
    const lock = await experiments.lock(experimentId);
    const all = await records.all(experimentId);
    const attempt = canonicalAttempts(all).records.find((record) => record.key === key && record.epoch === epoch);
    if (attempt === undefined) {
      throw new AnnealError('ANL-1015', { attempt: `${key.slice(0, 12)}#${epoch}`, experiment: experimentId });
    }
    // The judgement may be on record already, by a worker that died before it did the rest.
    if (!isJudgeFailure(attempt)) {
      return rewardOf(attempt.outcome) === null ? { outcome: attempt.outcome.kind } : settle(dependencies, attempt);
    }
    const effect = await judged(dependencies, lock, attempt, judgement, judge);
    const outcome = joinJudgement(attempt.runClass, judgeEnd(effect));
    const record: JudgementRecord = {
      kind: 'judgement',
      ...recordStamp(lock, dependencies.clock()),
      key,
      epoch,
      judgement,
      split: attempt.split,
      task: attempt.task,
      revision: attempt.revision,
      replicate: attempt.replicate,
      outcome,
      judged: await judgedSummary(dependencies.blobs, effect),
      judges: lock.identity.judges,
      blobs: effect.kind === 'judged' && effect.report !== null ? { judge: effect.report } : {},
    };
    const stream = attempt.split === 'feedback' ? 'open' : 'sealed';
    await records.append(lock, stream, `judgement/${key}/${epoch}/${judgement}`, record);
    return settle(dependencies, record);
  };
}

/** A score stands for good, and what was laid out to be judged is removed. */
async function settle(
  { gateway, experiments }: ActivityDependencies,
  { key, epoch, outcome }: Pick<AttemptRecord, 'key' | 'epoch' | 'outcome'>,
): Promise<{ readonly outcome: Outcome['kind'] }> {
  if (rewardOf(outcome) !== null) {
    await storeEffect(gateway, attemptEffects.canonical(key), CanonicalEffect, { outcome });
  }
  await experiments.removeStateDirectory(experiments.stateDirectory(key, epoch));
  return { outcome: outcome.kind };
}

async function judged(
  dependencies: ActivityDependencies,
  lock: ExperimentLock,
  attempt: AttemptRecord,
  judgement: number,
  judge: JudgeOutputs,
): Promise<JudgeEffect> {
  const { gateway } = dependencies;
  const effectKey = attemptEffects.judgeAgain(attempt.key, attempt.epoch, judgement);
  const known = await findEffect(gateway, effectKey, JudgeEffect);
  if (known !== null) return known;
  const run = await findEffect(gateway, attemptEffects.run(attempt.key, attempt.epoch), RunEffect);
  if (run === null) {
    throw new AnnealError('ANL-6001', { object: `what ${attempt.key.slice(0, 12)}#${attempt.epoch} left` });
  }
  const ran = { experimentId: lock.id, taskId: attempt.task, key: attempt.key, epoch: attempt.epoch };
  return storeEffect(gateway, effectKey, JudgeEffect, await judge(ran, run, `rejudge-${judgement}`, 'stored'));
}
