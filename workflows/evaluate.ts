import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { AttemptRequest, Phase, Revision } from '../src/contract/activities.ts';
import type { ArmName, ExperimentId, TaskId } from '../src/schema/ids.ts';
import { attemptProxy, waiting } from './proxies.ts';
import { runInLanes } from './run-in-lanes.ts';
import { Steering, type SteeringState } from './steering.ts';

/** One pass: every revision on every task, tasks in the order given, revisions of a task side by side. */
export interface EvaluateInput {
  readonly experimentId: ExperimentId;
  readonly arm: ArmName;
  readonly phase: Phase;
  readonly revisions: readonly Revision[];
  readonly tasks: readonly { readonly id: TaskId; readonly wallMs: number }[];
  readonly replicate: number;
  readonly infrastructureRetries: number;
  readonly steering: SteeringState;
  /** Attempts finished on earlier pages. */
  readonly cursor: number;
  /** Attempts between two pages. */
  readonly pageSize: number;
}

/** Halts of a failing provider that one attempt waits out: it may be this very request that makes the provider fail. */
const mostFailures = 8;

/** Run a pass with as many attempts in flight as there are lanes; results are in the records. */
export async function evaluate(input: EvaluateInput): Promise<void> {
  const steering = new Steering(input.steering);
  const total = input.tasks.length * input.revisions.length;
  const end = Math.min(total, input.cursor + input.pageSize);
  await runInLanes(steering, input.cursor, end, (index) => attempt(input, index, steering));
  if (end === total) return;
  await condition(allHandlersFinished);
  await continueAsNew<typeof evaluate>({ ...input, steering: steering.state(), cursor: end });
}

async function attempt(input: EvaluateInput, index: number, steering: Steering): Promise<void> {
  const cell = cellAt(input, index);
  const { performAttempt } = attemptProxy(cell.wallMs);
  let retries = 0;
  let failures = 0;
  while (true) {
    const { solveAgain, haltKind } = await performAttempt(cell.request);
    if (solveAgain === 'no' || (solveAgain === 'counted' && retries >= input.infrastructureRetries)) return;
    if (solveAgain === 'counted') retries++;
    if (solveAgain === 'halted') {
      if (haltKind === 'failing') failures++;
      if (failures > mostFailures) return;
      await waiting.untilServed({ experimentId: input.experimentId, role: 'solver' });
    }
    await steering.whileRunning();
  }
}

function cellAt(input: EvaluateInput, index: number): { readonly request: AttemptRequest; readonly wallMs: number } {
  const revision = input.revisions[index % input.revisions.length];
  const task = input.tasks[Math.floor(index / input.revisions.length)];
  if (revision === undefined || task === undefined) {
    throw new Error(`no attempt ${index} in ${workflowInfo().workflowId}`);
  }
  const { experimentId, arm, phase, replicate } = input;
  return { request: { experimentId, arm, phase, revision, taskId: task.id, replicate }, wallMs: task.wallMs };
}
