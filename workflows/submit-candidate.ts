import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { Revision } from '../src/contract/activities.ts';
import type { BudgetKind, Finding, Submit, Submitted } from '../src/updaters/step-machine.ts';
import { admitPass, lackOf } from './admit-pass.ts';
import { revisionOf, type ArmInput, type ArmState, type ArmStep } from './arm-state.ts';
import { short } from './proxies.ts';
import { runPass } from './run-child.ts';
import type { Steering } from './steering.ts';

/** Rejected submissions an arm may make before the search ends for it. */
const rejectionCap = 6;

/**
 * Validate, commit and measure one revision on selection. Nothing is committed that cannot be measured in the search time
 * left. Candidates and queries are counted here and in the ledger.
 */
export async function submitCandidate(
  input: ArmInput,
  state: ArmState,
  action: Submit,
  steering: Steering,
): Promise<ArmStep> {
  const { budgets } = input.plan;
  const { candidates: candidateCap } = budgets.arm;
  if (state.rejected >= rejectionCap) return refused(state, 'attempts', 0);
  const parent = revisionOf(input, state, action.parent);
  if (parent === null) return invalid(state, [{ code: 'parent-unknown', text: action.parent.slice(0, 12) }]);
  const tasks = input.plan.tasks.filter(({ split }) => split === 'selection');
  const wanted = { purpose: 'selection', revision: null, tasks, replicate: 0 } as const;
  const admission = await admitPass(input, state, steering, wanted);
  if (admission.kind === 'refuse') {
    const { which, remaining } = lackOf(admission);
    return refused(state, which, remaining);
  }
  const commit = await short.commitCandidate({
    experimentId: input.plan.experimentId,
    arm: input.arm.name,
    candidate: state.candidates.length + 1,
    candidateCap,
    parent,
    files: action.files,
    earlier: [input.plan.h0, ...state.candidates],
  });
  if (commit.kind === 'refused') return refused(state, 'candidates', 0);
  if (commit.kind === 'invalid') return invalid({ ...state, rejected: state.rejected + 1 }, commit.findings);
  const known = commit.repeated ? state : { ...state, candidates: [...state.candidates, commit.revision] };
  return measure(input, known, commit.revision, commit.repeated, steering);
}

/** Book a selection query for a revision, run the selection pass, disclose one number. */
export async function measure(
  input: ArmInput,
  state: ArmState,
  revision: Revision,
  repeated: boolean,
  steering: Steering,
): Promise<ArmStep> {
  const { plan } = input;
  const request = { experimentId: plan.experimentId, arm: input.arm.name, revision };
  const booked = await short.reserveQuery(request);
  if (booked.kind === 'refused') return refused(state, 'queries', booked.cap - booked.used);
  if (booked.kind === 'repeated') return submitted(state, revision, true, booked);
  const pass = {
    experimentId: plan.experimentId,
    arm: input.arm.name,
    phase: revision.candidate === 0 ? ('baseline' as const) : ('search' as const),
    revisions: [revision],
    tasks: plan.tasks.filter((task) => task.split === 'selection').map(({ id, wallMs }) => ({ id, wallMs })),
    replicate: 0,
    infrastructureRetries: plan.budgets.attempt.infrastructureRetries,
  };
  const query = { ...request, query: booked.query };
  try {
    await runPass(steering, `selection-${revision.candidate}`, pass);
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => short.discloseQuery({ ...query, interrupted: true }));
    }
    throw error;
  }
  const disclosure = await short.discloseQuery(query);
  if (disclosure.kind === 'disclosed') return submitted(state, revision, repeated, disclosure);
  return {
    state,
    result: {
      kind: 'ok',
      value: {
        kind: 'submitted',
        revision: revision.digest,
        repeated,
        selection: { kind: 'not-evaluated', why: disclosure.why },
      },
    },
  };
}

function submitted(
  state: ArmState,
  revision: Revision,
  repeated: boolean,
  number: { readonly points: number; readonly exact: number },
): ArmStep {
  const known = state.evaluated.some((entry) => entry.revision.digest === revision.digest);
  const { points, exact } = number;
  const evaluated = known ? state.evaluated : [...state.evaluated, { revision, points, exact }];
  const h0Points = evaluated.find((entry) => entry.revision.candidate === 0)?.points ?? points;
  const value: Submitted = {
    kind: 'submitted',
    revision: revision.digest,
    repeated,
    selection: { kind: 'disclosed', points, delta: points - h0Points },
  };
  return { state: { ...state, evaluated }, result: { kind: 'ok', value } };
}

function refused(state: ArmState, which: BudgetKind, remaining: number): ArmStep {
  return { state, result: { kind: 'budget-refused', which, remaining } };
}

function invalid(state: ArmState, findings: readonly Finding[]): ArmStep {
  return { state, result: { kind: 'invalid', findings } };
}
