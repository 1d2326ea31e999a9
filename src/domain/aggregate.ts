import type { TaskId } from '../schema/ids.ts';
import type { Outcome } from '../schema/outcome.ts';
import { AnnealError } from './errors.ts';
import { assertNever } from './assert-never.ts';
import { codeUnitOrder } from './code-unit-order.ts';

/** The canonical outcome of one planned task. */
export interface TaskOutcome {
  readonly taskId: TaskId;
  readonly outcome: Outcome;
}

/** One pass folded over its planned set. `scored + infrastructure + cancelled + missing = planned`. */
export interface Aggregate {
  readonly planned: number;
  /** Tasks with a reward, agent errors included. */
  readonly scored: number;
  /** Those of `scored` whose run ended in an agent error. */
  readonly agentErrors: number;
  readonly infrastructure: number;
  readonly cancelled: number;
  /** Planned, without any outcome yet. */
  readonly missing: number;
  /** Mean reward over `scored`, exact; null when nothing is scored. */
  readonly mean: number | null;
  /** 100 × mean, exact. */
  readonly points: number | null;
  /** scored ÷ planned, 0 to 1; 1 for an empty plan. */
  readonly coverage: number;
}

/**
 * Folds outcomes over the planned tasks. The denominator of coverage is the plan, never what happened to come back.
 * Sums run in task-id order, so that the same outcomes give the same bits. Throws ANL-6009 for an outcome that is
 * not planned or given twice.
 */
export function aggregate(planned: readonly TaskId[], outcomes: readonly TaskOutcome[]): Aggregate {
  const plannedIds = new Set(planned);
  const seen = new Set<TaskId>();
  let sum = 0;
  const counts = { scored: 0, agentErrors: 0, infrastructure: 0, cancelled: 0 };
  for (const { taskId, outcome } of outcomes.toSorted((left, right) => codeUnitOrder(left.taskId, right.taskId))) {
    if (!plannedIds.has(taskId)) throw new AnnealError('ANL-6009', { state: `outcome of unplanned task ${taskId}` });
    if (seen.has(taskId)) throw new AnnealError('ANL-6009', { state: `two outcomes of task ${taskId}` });
    seen.add(taskId);
    switch (outcome.kind) {
      case 'scored_with_agent_error':
        counts.agentErrors += 1;
        counts.scored += 1;
        sum += outcome.reward;
        break;
      case 'scored':
        counts.scored += 1;
        sum += outcome.reward;
        break;
      case 'unscored_infra':
        counts.infrastructure += 1;
        break;
      case 'cancelled':
        counts.cancelled += 1;
        break;
      default:
        assertNever(outcome);
    }
  }
  const mean = counts.scored === 0 ? null : sum / counts.scored;
  return {
    planned: plannedIds.size,
    ...counts,
    missing: plannedIds.size - seen.size,
    mean,
    points: mean === null ? null : 100 * mean,
    coverage: plannedIds.size === 0 ? 1 : counts.scored / plannedIds.size,
  };
}
