import { allHandlersFinished, condition, continueAsNew } from '@temporalio/workflow';
import type { JudgeAgain } from '../src/contract/activities.ts';
import type { ExperimentId } from '../src/schema/ids.ts';
import { judgingProxy, long } from './proxies.ts';
import { runInLanes } from './run-in-lanes.ts';
import { Steering } from './steering.ts';

/** Judgements to be made again, and how many at a time. */
export interface RejudgeInput {
  readonly experimentId: ExperimentId;
  readonly lanes: number;
  readonly attempts: readonly JudgeAgain[];
  /** Attempts between two pages. */
  readonly pageSize: number;
}

/** Judge attempts again whose judge failed, as many at once as there are lanes; then the report is written anew. */
export async function rejudge(input: RejudgeInput): Promise<void> {
  const { experimentId, attempts, pageSize, lanes } = input;
  const page = attempts.slice(0, pageSize);
  await runInLanes(new Steering({ paused: false, lanes }), 0, page.length, async (index) => {
    const attempt = page[index];
    if (attempt !== undefined) await judgingProxy.rejudgeAttempt({ experimentId, ...attempt });
  });
  if (attempts.length > pageSize) {
    await condition(allHandlersFinished);
    await continueAsNew<typeof rejudge>({ ...input, attempts: attempts.slice(pageSize) });
  }
  await long.refreshReport({ experimentId });
}
