import type { LaterArms, PlannedTask, Revision, SearchAllowance } from '../src/contract/activities.ts';
import { admit, passMs, type Admission, type PassAllowance, type PlannedAttempt } from '../src/domain/admission.ts';
import { hasCaps } from '../src/domain/has-caps.ts';
import { moneyText } from '../src/domain/money-text.ts';
import type { BudgetKind } from '../src/updaters/step-machine.ts';
import type { ArmInput, ArmState } from './arm-state.ts';
import { short } from './proxies.ts';
import type { Steering } from './steering.ts';

const minuteMs = 60_000;

/** A pass that an updater asks for, before it is known whether it fits. */
export interface WantedPass {
  readonly purpose: 'feedback' | 'selection';
  /** null for a candidate that is not committed yet. */
  readonly revision: Revision | null;
  readonly tasks: readonly PlannedTask[];
  readonly replicate: number;
}

/**
 * Whether a pass fits into the search time that is left, feedback together with the selection pass that makes it worth
 * having. Attempts are expected to take what the recorded ones took, at most their wall limit. Whatever is not plainly
 * admitted stands in the decision record.
 */
export async function admitPass(
  input: ArmInput,
  state: ArmState,
  steering: Steering,
  pass: WantedPass,
): Promise<Admission> {
  const { purpose, tasks, revision, replicate } = pass;
  const { experimentId, tasks: all } = input.plan;
  const taskIds = tasks.map(({ id }) => id);
  const caps = hasCaps(input.plan) ? await short.holdShare({ experimentId, laterArms: laterArmsOf(input) }) : [];
  const forecast = await short.forecastPass({ experimentId, revision, taskIds, replicate });
  const standing = new Set(forecast.standing);
  const expected = ({ wallMs }: PlannedTask): number => Math.min(forecast.wallP90Ms ?? wallMs, wallMs);
  const selection = all.filter(({ split }) => split === 'selection').map((task) => ({ wallP90Ms: expected(task) }));
  const admission = admit({
    purpose,
    attempts: tasks.map((task): PlannedAttempt => {
      const { id: taskId, modality } = task;
      return { taskId, modality, wallP90Ms: standing.has(taskId) ? 0 : expected(task) };
    }),
    lanes: steering.lanes,
    reserveMs: purpose === 'feedback' ? passMs(selection, steering.lanes) : 0,
    leftMs: state.deadlineMs - Date.now(),
    allowances: caps.map((cap) => allowanceOf(cap, purpose, selection.length)),
  });
  if (admission.kind !== 'admit') await record(input, state, steering, pass, admission);
  return admission;
}

/**
 * Feedback is worth having with what the updater makes of it and the selection pass after; it is admitted at the ninetieth
 * percentile of all that. Selection then needs its mean: refused now, what was spent on the way to it would be lost.
 */
function allowanceOf(
  { kind, left, perAttempt, perCall, updaterPerAttempt }: SearchAllowance,
  purpose: WantedPass['purpose'],
  attemptsAfter: number,
): PassAllowance {
  if (purpose === 'feedback') return { kind, left, perAttempt, perCall, attemptsAfter, updaterPerAttempt };
  const mean = perAttempt === null ? null : { mean: perAttempt.mean, deviation: 0 };
  return { kind, left, perAttempt: mean, perCall, attemptsAfter: 0, updaterPerAttempt: 0 };
}

function laterArmsOf({ laterArms }: ArmInput): LaterArms {
  return { amounts: laterArms ?? {} };
}

/** What a refused pass was short of, and how much of it is left. */
export function lackOf({ short: cap, leftMs }: Exclude<Admission, { kind: 'admit' }>): {
  readonly which: BudgetKind;
  readonly remaining: number;
} {
  return cap === undefined ? { which: 'wall', remaining: leftMs } : { which: cap.kind, remaining: cap.left };
}

/** One line on a pass that does not fit, with both figures. */
export function tellAdmission({ purpose }: Pick<WantedPass, 'purpose'>, lanes: number, admission: Admission): string {
  const minutes = (ms: number): string => `${Math.ceil(Math.max(0, ms) / minuteMs)} min`;
  const what = purpose === 'feedback' ? 'feedback and the selection after it need' : 'selection needs';
  const ended =
    admission.kind === 'shrink' ? `: ${admission.taskIds.length} of ${admission.planned} tasks are run` : '';
  const cap = admission.kind === 'admit' ? undefined : admission.short;
  if (cap !== undefined) {
    const amount = (value: number): string =>
      cap.kind === 'money' ? moneyText(value) : `${Math.ceil(value)} solver tokens`;
    return `${what} ${amount(cap.need)} (${purpose === 'feedback' ? 'p90' : 'mean'} and one call), ${amount(cap.left)} of the cap are left to this search${ended}`;
  }
  return `${what} ${minutes(admission.needMs)} (p90, lanes: ${lanes}), ${minutes(admission.leftMs)} of search time are left${ended}`;
}

async function record(
  { plan, arm }: ArmInput,
  state: ArmState,
  { lanes }: Steering,
  pass: WantedPass,
  admission: Exclude<Admission, { kind: 'admit' }>,
): Promise<void> {
  const shrunk = admission.kind === 'shrink';
  await short.recordDecision({
    experimentId: plan.experimentId,
    id: `${arm.name}/admission/${state.step}`,
    arm: arm.name,
    event: shrunk ? 'pass-shrunk' : 'pass-refused',
    reason: tellAdmission(pass, lanes, admission),
    figures: {
      needMs: admission.needMs,
      leftMs: admission.leftMs,
      ...(admission.short === undefined
        ? {}
        : { cap: admission.short.kind, need: Math.ceil(admission.short.need), left: admission.short.left }),
      lanes,
      planned: pass.tasks.length,
      admitted: shrunk ? admission.taskIds.length : 0,
    },
  });
}
