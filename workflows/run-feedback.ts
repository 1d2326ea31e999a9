import type { FeedbackResult, RunFeedback } from '../src/updaters/step-machine.ts';
import type { TaskId } from '../src/schema/ids.ts';
import { admitPass, lackOf, tellAdmission } from './admit-pass.ts';
import { revisionOf, type ArmInput, type ArmState } from './arm-state.ts';
import { short } from './proxies.ts';
import { runPass } from './run-child.ts';
import type { Steering } from './steering.ts';

/** Solve and judge feedback tasks with one revision, or a declared subset where the search time left does not do for all. */
export async function runFeedback(
  input: ArmInput,
  state: ArmState,
  action: RunFeedback,
  steering: Steering,
): Promise<FeedbackResult> {
  const { plan, arm } = input;
  const { replicate } = action;
  const revision = revisionOf(input, state, action.revision);
  if (revision === null) return invalid('revision-unknown', action.revision);
  const wanted = new Set<string>(action.taskIds);
  const tasks = plan.tasks.filter((task) => task.split === 'feedback' && wanted.has(task.id));
  if (tasks.length !== wanted.size) return invalid('task-not-feedback', 'a task asked for is not in feedback');
  const admission = await admitPass(input, state, steering, { purpose: 'feedback', revision, tasks, replicate });
  if (admission.kind === 'refuse') return { kind: 'budget-refused', ...lackOf(admission) };
  const admitted = new Set<TaskId>(admission.kind === 'shrink' ? admission.taskIds : tasks.map(({ id }) => id));
  const chosen = tasks.filter(({ id }) => admitted.has(id));
  await runPass(steering, `feedback-${state.step}`, {
    experimentId: plan.experimentId,
    arm: arm.name,
    phase: 'search',
    revisions: [revision],
    tasks: chosen.map(({ id, wallMs }) => ({ id, wallMs })),
    replicate,
    infrastructureRetries: plan.budgets.attempt.infrastructureRetries,
  });
  const result = await short.collectFeedback({
    experimentId: plan.experimentId,
    arm: arm.name,
    revision,
    taskIds: chosen.map(({ id }) => id),
    replicate,
  });
  if (admission.kind === 'admit') return result;
  const leftOut = tasks.filter(({ id }) => !admitted.has(id)).map(({ id }) => id);
  return subsetOf(result, leftOut, tellAdmission({ purpose: 'feedback' }, steering.lanes, admission));
}

/** The result of a subset as a part of the pass that was asked for. */
function subsetOf(result: FeedbackResult, leftOut: readonly TaskId[], why: string): FeedbackResult {
  switch (result.kind) {
    case 'ok':
      return { kind: 'partial', done: result.value, missing: leftOut, why };
    case 'partial':
      return { ...result, missing: [...result.missing, ...leftOut], why: `${why}; ${result.why}` };
    case 'budget-refused':
    case 'invalid':
    case 'infra-failed':
      return result;
  }
}

function invalid(code: string, text: string): FeedbackResult {
  return { kind: 'invalid', findings: [{ code, text }] };
}
