import type { Activities } from '../src/contract/activities.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { withHeartbeat } from './heartbeat.ts';
import { judgeAttempt } from './judge-attempt.ts';
import { recordAttempt } from './record-attempt.ts';
import type { RecordStore } from './record-store.ts';
import { runAttempt } from './run-attempt.ts';

/** One attempt, one direction: run, classify, judge, record. Each step finds its own effect when it was done before. */
export function performAttempt(dependencies: ActivityDependencies, records: RecordStore): Activities['performAttempt'] {
  const run = runAttempt(dependencies);
  const judge = judgeAttempt(dependencies);
  const record = recordAttempt(dependencies, records);
  return (request) =>
    withHeartbeat(
      (async () => {
        const ran = await run(request);
        if (ran.kind === 'reused') return { outcome: ran.outcome, solveAgain: 'no' as const };
        const epoch = { ...request, key: ran.key, epoch: ran.epoch };
        if (ran.runClass !== 'infrastructure' && ran.runClass !== 'cancelled') await judge(epoch);
        return record(epoch);
      })(),
    );
}
