import type { PlannedTask, Revision } from '../src/contract/activities.ts';
import { admit, passMs, type Admission, type PlannedAttempt } from '../src/domain/admission.ts';
import type { ArmInput, ArmState } from './arm-state.ts';
import { short } from './proxies.ts';
import type { Steering } from './steering.ts';

const minuteMs = 60_000;

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
  });
  if (admission.kind !== 'admit') await record(input, state, steering, pass, admission);
  return admission;
}

/** One line on a pass that does not fit, with both figures. */
export function tellAdmission({ purpose }: Pick<WantedPass, 'purpose'>, lanes: number, admission: Admission): string {
  const minutes = (ms: number): string => `${Math.ceil(Math.max(0, ms) / minuteMs)} min`;
  const what = purpose === 'feedback' ? 'feedback and the selection after it need' : 'selection needs';
  const ended =
    admission.kind === 'shrink' ? `: ${admission.taskIds.length} of ${admission.planned} tasks are run` : '';
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
      lanes,
      planned: pass.tasks.length,
      admitted: shrunk ? admission.taskIds.length : 0,
    },
  });
}
