import type { Activities, AttemptEnd, AttemptRequest } from '../src/contract/activities.ts';
import { attemptKey } from '../src/domain/attempt-key.ts';
import { attemptStanding } from './attempt-standing.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { withHeartbeat } from './heartbeat.ts';
import { judgeAttempt, type JudgeOutputs } from './judge-attempt.ts';
import { recordAttempt } from './record-attempt.ts';
import type { RecordStore } from './record-store.ts';
import { runAttempt } from './run-attempt.ts';

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
    if (standing.kind === 'settled') return { outcome: standing.outcome, solveAgain: 'no' };
    const attempt = { ...request, key, epoch: standing.epoch };
    const ran = standing.run ?? (await run(attempt));
    const judgeable = ran.runClass.kind === 'ended' || ran.runClass.kind === 'agent_error';
    const judged = standing.judge ?? (judgeable ? await judge(attempt, ran) : null);
    return record(attempt, ran, judged);
  };
  return (request) => withHeartbeat(perform(request));
}
