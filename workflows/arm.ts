import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { Action, JsonObject, SearchEnd } from '../src/updaters/step-machine.ts';
import { updaterOf } from '../src/updaters/registry.ts';
import type { ArmInput, ArmResult, ArmState } from './arm-state.ts';
import { performAction } from './perform-action.ts';
import { short } from './proxies.ts';
import { Steering } from './steering.ts';
import { measure } from './submit-candidate.ts';
import { withDeadline } from './with-deadline.ts';

const hourMs = 3_600_000;

/** One updater's search: asks it for actions, performs them, until it finishes or its time is over. */
export async function arm(input: ArmInput): Promise<ArmResult> {
  const steering = new Steering(input.steering);
  let state = input.state ?? firstState(input);
  const booked = await withDeadline(state.deadlineMs, async () =>
    state.evaluated.length > 0 ? state : (await measure(input, state, input.plan.h0, false, steering)).state,
  );
  if (booked.kind === 'deadline') return endOfTime(input, booked.value ?? state);
  state = booked.value;
  const updater = updaterOf(input.arm);
  let machine = state.updater ?? updater.init(contextOf(input), settingsOf(input));
  while (true) {
    await steering.whileRunning();
    const action: Action = updater.next(machine);
    if (action.kind === 'finish') return end(input, state, action.end, action.reason);
    const performed = await withDeadline(state.deadlineMs, () => performAction(input, state, action, steering));
    if (performed.kind === 'deadline') return endOfTime(input, performed.value?.state ?? state);
    machine = updater.apply(machine, action, performed.value.result);
    state = { ...performed.value.state, step: state.step + 1, updater: machine };
    if (workflowInfo().historyLength > input.historyPage || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof arm>({ ...input, steering: steering.state(), state });
    }
  }
}

function firstState(input: ArmInput): ArmState {
  return {
    step: 0,
    deadlineMs: Date.now() + input.plan.budgets.arm.searchHours * hourMs,
    updater: null,
    candidates: [],
    evaluated: [],
    rejected: 0,
  };
}

function contextOf({ plan, arm: { name } }: ArmInput): Parameters<ReturnType<typeof updaterOf>['init']>[0] {
  return {
    runId: `${plan.experimentId}/${name}`,
    seed: plan.seed,
    h0: { digest: plan.h0.digest, files: plan.h0Files },
    feedback: plan.tasks
      .filter((task) => task.split === 'feedback')
      .map(({ id, modality, leakageGroup }) => ({ taskId: id, modality, leakageGroup })),
    budgets: {
      updaterTokens: plan.budgets.arm.updaterTokens,
      candidates: plan.budgets.arm.candidates,
      selectionQueries: plan.budgets.arm.selectionQueries,
      searchMs: plan.budgets.arm.searchHours * hourMs,
    },
  };
}

function settingsOf({ arm: settings }: ArmInput): JsonObject {
  return settings.updater === 'static' ? {} : settings.settings;
}

/** The search as the deadline left it: what was brought to an end then is part of it. */
function endOfTime(input: ArmInput, state: ArmState): Promise<ArmResult> {
  return end(input, state, 'budget', 'search time is over');
}

async function end(input: ArmInput, state: ArmState, how: SearchEnd, reason: string): Promise<ArmResult> {
  await short.recordDecision({
    experimentId: input.plan.experimentId,
    id: `${input.arm.name}/search-ended`,
    arm: input.arm.name,
    event: 'search-ended',
    reason,
    figures: { end: how, candidates: state.candidates.length, evaluated: state.evaluated.length, actions: state.step },
  });
  return { ended: reason, evaluated: state.evaluated };
}
