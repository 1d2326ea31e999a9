import type { TaskId } from '../schema/ids.ts';
import type { TaskOutcome } from './aggregate.ts';
import { codeUnitOrder } from './code-unit-order.ts';
import { rewardOf } from './outcome.ts';

/** A difference on equal tasks, before any rounding. */
export interface PairedDelta {
  /** Mean of (candidate − baseline) over complete pairs, in points; null without a pair. */
  readonly points: number | null;
  /** Complete pairs. */
  readonly pairs: number;
}

/** Candidate minus baseline over the tasks that both have scored. */
export function pairedDelta(candidate: readonly TaskOutcome[], baseline: readonly TaskOutcome[]): PairedDelta {
  const baselineRewards = new Map<TaskId, number>();
  for (const { taskId, outcome } of baseline) {
    const reward = rewardOf(outcome);
    if (reward !== null) baselineRewards.set(taskId, reward);
  }
  let sum = 0;
  let pairs = 0;
  for (const { taskId, outcome } of candidate.toSorted((left, right) => codeUnitOrder(left.taskId, right.taskId))) {
    const reward = rewardOf(outcome);
    const baselineReward = baselineRewards.get(taskId);
    if (reward === null || baselineReward === undefined) continue;
    sum += reward - baselineReward;
    pairs += 1;
  }
  return { points: pairs === 0 ? null : (100 * sum) / pairs, pairs };
}
