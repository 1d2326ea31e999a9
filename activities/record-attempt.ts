import type { z } from 'zod';
import type { AttemptEnd } from '../src/contract/activities.ts';
import { joinJudgement, rewardOf } from '../src/domain/outcome.ts';
import type { JudgeEffect, RunEffect } from '../src/schema/attempt-effect.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { AttemptKey } from '../src/schema/ids.ts';
import type { AttemptRecord } from '../src/schema/record.ts';
import { attemptEffects } from '../src/domain/effect-keys.ts';
import type { AttemptEpoch } from './attempt-epoch.ts';
import { CanonicalEffect, RecordedEffect, mayBeSolvedAgain } from './attempt-standing.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { storeEffect } from './effect.ts';
import { judgeEnd, judgedSummary } from './judged-summary.ts';
import type { RecordStore } from './record-store.ts';

/** Join run class and judgement, append one record per (key, epoch), say whether the task is to be solved again. */
export function recordAttempt(
  dependencies: ActivityDependencies,
  records: RecordStore,
): (ran: AttemptEpoch, run: RunEffect, judge: JudgeEffect | null) => Promise<AttemptEnd> {
  const { gateway, experiments, clock } = dependencies;
  return async (ran, run, judge) => {
    const outcome = joinJudgement(run.runClass, judgeEnd(judge));
    const lock = await experiments.lock(ran.experimentId);
    const { locked } = await experiments.task(ran.experimentId, ran.taskId);
    const record: AttemptRecord = {
      kind: 'attempt',
      ...recordStamp(lock, clock()),
      key: ran.key,
      epoch: ran.epoch,
      arm: ran.arm,
      phase: ran.phase,
      split: locked.split,
      task: ran.taskId,
      taskDigest: locked.digest,
      modality: locked.modality,
      revision: ran.revision.digest,
      replicate: ran.replicate,
      runClass: run.runClass,
      outcome,
      judged: await judgedSummary(dependencies.blobs, judge),
      judges: judge?.kind === 'judged' ? judge.judges : null,
      usage: run.usage,
      wallMs: run.wallMs,
      sandbox: run.sandbox,
      phases: { ...run.phases, ...(judge?.kind === 'judged' ? judge.phases : {}) },
      cpuMs: { ...run.cpuMs, ...(judge?.kind === 'judged' ? judge.cpuMs : {}) },
      blobs: { ...run.blobs, ...(judge?.kind === 'judged' && judge.report !== null ? { judge: judge.report } : {}) },
    };
    const stream = locked.split === 'feedback' ? 'open' : 'sealed';
    await records.append(lock, stream, `attempt/${ran.key}/${ran.epoch}`, record);
    if (rewardOf(outcome) !== null) {
      await storeEffect(gateway, attemptEffects.canonical(ran.key), CanonicalEffect, { outcome });
    }
    const stored = await storeEffect(gateway, attemptEffects.recorded(ran.key, ran.epoch), RecordedEffect, {
      outcome,
      stopped: run.stopped,
    });
    if (answer(stored).solveAgain === 'no') await removeStates(dependencies, ran.key, ran.epoch);
    return answer(stored);
  };
}

function answer({ outcome, stopped }: z.infer<typeof RecordedEffect>): AttemptEnd {
  return { outcome: outcome.kind, solveAgain: mayBeSolvedAgain(outcome) ? (stopped ? 'free' : 'counted') : 'no' };
}

/** Remove what the epochs of an attempt left, the last one included; absent is fine. */
export async function removeStates(
  { experiments }: ActivityDependencies,
  key: AttemptKey,
  epoch: number,
): Promise<void> {
  for (let past = 1; past <= epoch; past++)
    await experiments.removeStateDirectory(experiments.stateDirectory(key, past));
}
