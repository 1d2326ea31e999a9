import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { Revision } from '../src/contract/activities.ts';
import { deltaToH0 } from '../src/domain/delta-to-h0.ts';
import type { BudgetKind, Finding, Submit, Submitted } from '../src/updaters/step-machine.ts';
import { admitPass, lackOf } from './admit-pass.ts';
import { revisionOf, type ArmInput, type ArmState, type ArmStep } from './arm-state.ts';
import { short } from './proxies.ts';
import { runPass } from './run-child.ts';
import type { Steering } from './steering.ts';
import { isOver } from './with-deadline.ts';

/** Rejected submissions an arm may make before the search ends for it. */
const rejectionCap = 6;

/** What is begun here is written to its end: a number that was handed out, a commit or a booking is never lost. */
const toTheEnd = <Value>(effect: () => Promise<Value>): Promise<Value> => CancellationScope.nonCancellable(effect);

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
  const commit = await toTheEnd(() =>
    short.commitCandidate({
      experimentId: input.plan.experimentId,
      arm: input.arm.name,
      candidate: state.candidates.length + 1,
      candidateCap,
      parent,
      files: action.files,
      earlier: [input.plan.h0, ...state.candidates],
    }),
  );
  if (commit.kind === 'refused') return refused(state, 'candidates', 0);
  if (commit.kind === 'invalid') return invalid({ ...state, rejected: state.rejected + 1 }, commit.findings);
  const known = commit.repeated ? state : { ...state, candidates: [...state.candidates, commit.revision] };
  if (isOver()) return notEvaluated(known, commit.revision, commit.repeated, 'the search ended before selection began');
  return measure(input, known, commit.revision, commit.repeated, steering);
}

/**
 * Book a selection query for a revision, run the selection pass, disclose one number. Where the time is over before the
 * disclosure is begun, the query is given back and the revision is not evaluated.
 */
export async function measure(
  input: ArmInput,
  state: ArmState,
  revision: Revision,
  repeated: boolean,
  steering: Steering,
): Promise<ArmStep> {
  const { plan } = input;
  const request = { experimentId: plan.experimentId, arm: input.arm.name, revision };
  const booked = await toTheEnd(() => short.reserveQuery(request));
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
  let cancellation: unknown = null;
  try {
    await runPass(steering, `selection-${revision.candidate}`, pass);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    cancellation = error;
  }
  const interrupted = cancellation !== null || isOver();
  const disclosure = await toTheEnd(() => short.discloseQuery(interrupted ? { ...query, interrupted } : query));
  if (cancellation !== null && !isOver()) throw cancellation;
  return disclosure.kind === 'disclosed'
    ? submitted(state, revision, repeated, disclosure)
    : notEvaluated(state, revision, repeated, disclosure.why);
}

function notEvaluated(state: ArmState, revision: Revision, repeated: boolean, why: string): ArmStep {
  const value: Submitted = {
    kind: 'submitted',
    revision: revision.digest,
    repeated,
    selection: { kind: 'not-evaluated', why },
  };
  return { state, result: { kind: 'ok', value } };
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
  const value: Submitted = {
    kind: 'submitted',
    revision: revision.digest,
    repeated,
    selection: { kind: 'disclosed', points, delta: deltaToH0(evaluated, points) },
  };
  return { state: { ...state, evaluated }, result: { kind: 'ok', value } };
}

function refused(state: ArmState, which: BudgetKind, remaining: number): ArmStep {
  return { state, result: { kind: 'budget-refused', which, remaining } };
}

function invalid(state: ArmState, findings: readonly Finding[]): ArmStep {
  return { state, result: { kind: 'invalid', findings } };
}
