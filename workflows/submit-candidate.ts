import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { Revision } from '../src/contract/activities.ts';
import type { ActionResult, Finding, Submit, Submitted } from '../src/updaters/step-machine.ts';
import type { ArmInput, ArmState } from './arm-state.ts';
import { short } from './proxies.ts';
import { runPass } from './run-child.ts';
import type { Steering } from './steering.ts';

/** Rejected submissions an arm may make before the search ends for it. */
const rejectionCap = 6;

type Step = { readonly state: ArmState; readonly result: ActionResult };

/** Validate, commit and measure one revision on selection. Candidates and queries are counted here and in the ledger. */
export async function submitCandidate(
  input: ArmInput,
  state: ArmState,
  action: Submit,
  steering: Steering,
): Promise<Step> {
  const { budgets } = input.plan;
  const { candidates: candidateCap } = budgets.arm;
  if (state.rejected >= rejectionCap) return refused(state, 'attempts', 0);
  const parent = revisionOf(input, state, action.parent);
  if (parent === null) return invalid(state, [{ code: 'parent-unknown', text: action.parent.slice(0, 12) }]);
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
): Promise<Step> {
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
    replicates: 1,
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

/** A committed revision of this arm by digest, H0 included. */
export function revisionOf(input: ArmInput, state: ArmState, digest: string): Revision | null {
  return [input.plan.h0, ...state.candidates].find((revision) => revision.digest === digest) ?? null;
}

function submitted(
  state: ArmState,
  revision: Revision,
  repeated: boolean,
  number: { readonly points: number; readonly exact: number },
): Step {
  const known = state.evaluated.some((entry) => entry.revision.digest === revision.digest);
  const evaluated = known ? state.evaluated : [...state.evaluated, { revision, ...numberOf(number) }];
  const h0Points = evaluated.find((entry) => entry.revision.candidate === 0)?.points ?? number.points;
  const value: Submitted = {
    kind: 'submitted',
    revision: revision.digest,
    repeated,
    selection: { kind: 'disclosed', points: number.points, delta: number.points - h0Points },
  };
  return { state: { ...state, evaluated }, result: { kind: 'ok', value } };
}

function numberOf(number: { readonly points: number; readonly exact: number }): { points: number; exact: number } {
  return { points: number.points, exact: number.exact };
}

function refused(state: ArmState, which: 'candidates' | 'queries' | 'attempts', remaining: number): Step {
  return { state, result: { kind: 'budget-refused', which, remaining } };
}

function invalid(state: ArmState, findings: readonly Finding[]): Step {
  return { state, result: { kind: 'invalid', findings } };
}
