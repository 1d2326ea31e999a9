import type { Activities, AttemptEnd, AttemptRequest } from '../src/contract/activities.ts';
import { attemptKey } from '../src/domain/attempt-key.ts';
import { isAnnealError } from '../src/domain/errors.ts';
import { attemptStanding } from './attempt-standing.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { withHeartbeat } from './heartbeat.ts';
import { judgeAttempt, type JudgeOutputs } from './judge-attempt.ts';
import { recordAttempt, removeStates } from './record-attempt.ts';
import type { RecordStore } from './record-store.ts';
import { runAttempt } from './run-attempt.ts';
import { haltOf } from './until-served.ts';

/** One attempt, one direction: run, classify, judge, record. Steps that were done before are not done again. */
export function performAttempt(
  dependencies: ActivityDependencies,
  records: RecordStore,
  judgeOutputs: JudgeOutputs,
): Activities['performAttempt'] {
  const run = runAttempt(dependencies);
  const judge = judgeAttempt(dependencies, judgeOutputs);
  const record = recordAttempt(dependencies, records);
  const perform = async (request: AttemptRequest): Promise<AttemptEnd> => {
    const lock = await dependencies.experiments.lock(request.experimentId);
    const task = await dependencies.experiments.task(request.experimentId, request.taskId);
    const key = attemptKey(lock, request.revision.digest, task.locked, request.replicate);
    const standing = await attemptStanding(dependencies.gateway, key);
    if (standing.kind !== 'open') {
      // A worker that died right behind the score left its sandbox's folder.
      if (standing.kind === 'scored') await removeStates(dependencies, key, standing.epoch);
      return { outcome: standing.outcome, solveAgain: 'no' };
    }
    const attempt = { ...request, key, epoch: standing.epoch };
    const ran = standing.run ?? (await run(attempt));
    const judgeable = ran.runClass.kind === 'ended' || ran.runClass.kind === 'agent_error';
    const tree = standing.run === null ? 'collected' : 'stored';
    const judged = standing.judge ?? (judgeable ? await judge(attempt, ran, tree) : null);
    return waitingWhereHalted(await record(attempt, ran, judged), request);
  };
  /** An end that another epoch may mend waits for the model where that is halted. */
  const waitingWhereHalted = async (end: AttemptEnd, { experimentId }: AttemptRequest): Promise<AttemptEnd> => {
    if (end.solveAgain !== 'counted') return end;
    const halt = await haltOf(dependencies.gateway, experimentId, 'solver');
    return halt === null ? end : { ...end, solveAgain: 'halted', haltKind: halt.kind };
  };
  const performUnlessHalted = async (request: AttemptRequest): Promise<AttemptEnd> => {
    try {
      return await perform(request);
    } catch (error) {
      if (!isAnnealError(error, 'ANL-5010')) throw error;
      const end = await waitingWhereHalted({ outcome: 'unscored_infra', solveAgain: 'counted' }, request);
      return end.solveAgain === 'halted' ? end : { ...end, solveAgain: 'free' };
    }
  };
  return (request) => withHeartbeat(performUnlessHalted(request));
}
