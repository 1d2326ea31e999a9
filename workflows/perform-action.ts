import type { Activities } from '../src/contract/activities.ts';
import { assertNever } from '../src/domain/assert-never.ts';
import type {
  Action,
  ActionResult,
  Batch,
  CallModelResult,
  Finding,
  Finish,
  Note,
  SingleAction,
  SingleResult,
} from '../src/updaters/step-machine.ts';
import type { ArmInput, ArmState, ArmStep } from './arm-state.ts';
import { long, short, waiting } from './proxies.ts';
import { runFeedback } from './run-feedback.ts';
import type { Steering } from './steering.ts';
import { submitCandidate } from './submit-candidate.ts';

/** Calls of one batch in flight at a time. */
const batchWidth = 8;

/** Perform one action of an updater; refusals and failures are results, never exceptions. */
export async function performAction(
  input: ArmInput,
  state: ArmState,
  action: Exclude<Action, Finish>,
  steering: Steering,
): Promise<ArmStep> {
  switch (action.kind) {
    case 'batch':
      return { state, result: await performBatch(input, state, action) };
    case 'run-feedback':
      return { state, result: await runFeedback(input, state, action, steering) };
    case 'submit':
      return submitCandidate(input, state, action, steering);
    case 'call-model':
    case 'derive':
    case 'note':
    case 'validate':
    case 'run-session':
      return { state, result: await performSmall(input, state, action, '0') };
    default:
      return assertNever(action);
  }
}

async function performBatch(input: ArmInput, state: ArmState, batch: Batch): Promise<ActionResult> {
  const results: SingleResult[] = [];
  for (let start = 0; start < batch.actions.length; start += batchWidth) {
    const slice = batch.actions.slice(start, start + batchWidth);
    results.push(
      ...(await Promise.all(slice.map((action, offset) => performSmall(input, state, action, String(start + offset))))),
    );
  }
  return { kind: 'batch', results };
}

async function performSmall(
  input: ArmInput,
  state: ArmState,
  action: SingleAction,
  position: string,
): Promise<SingleResult> {
  const request = { experimentId: input.plan.experimentId, arm: input.arm.name };
  const stepKey = `${state.step}/${position}`;
  switch (action.kind) {
    case 'call-model':
      return withFindings(input, stepKey, await callModel({ ...request, stepKey, action }));
    case 'derive':
      return withFindings(input, stepKey, await short.derive({ ...request, action }));
    case 'note':
      await note(input, stepKey, action);
      return { kind: 'ok', value: null };
    case 'validate':
    case 'run-session':
    case 'run-feedback':
    case 'submit':
      return {
        kind: 'invalid',
        findings: [{ code: 'action-unsupported', text: `${action.kind} is not available here` }],
      };
    default:
      return assertNever(action);
  }
}

/** The call's result, however long its model is halted meanwhile. */
async function callModel(request: Omit<Parameters<Activities['callModel']>[0], 'round'>): Promise<CallModelResult> {
  for (let round = 1; ; round++) {
    const end = await long.callModel({ ...request, round });
    if (end.kind !== 'halted') return end;
    await waiting.untilServed({ experimentId: request.experimentId, role: 'updater' });
  }
}

/** Findings of a result go to the decision record: they are the only trace of what was refused or dropped. */
async function withFindings<Result extends SingleResult>(
  input: ArmInput,
  stepKey: string,
  result: Result,
): Promise<Result> {
  const findings = findingsOf(result);
  if (findings.length === 0) return result;
  await short.recordDecision({
    experimentId: input.plan.experimentId,
    id: `${input.arm.name}/findings/${stepKey}`,
    arm: input.arm.name,
    event: 'updater-findings',
    reason: findings
      .map(({ code, text }) => `${code}: ${text}`)
      .join('; ')
      .slice(0, 2_000),
    figures: { findings: findings.length },
  });
  return result;
}

function findingsOf(result: SingleResult): readonly Finding[] {
  if (result.kind === 'invalid') return result.findings;
  return result.kind === 'ok' && result.value !== null && 'findings' in result.value ? result.value.findings : [];
}

async function note(input: ArmInput, stepKey: string, action: Note): Promise<void> {
  await short.recordDecision({
    experimentId: input.plan.experimentId,
    id: `${input.arm.name}/note/${stepKey}`,
    arm: input.arm.name,
    event: action.event,
    reason: action.text,
    figures: {},
  });
}
