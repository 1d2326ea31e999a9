import type { TaskId } from '../schema/ids.ts';
import type { Modality } from '../schema/splits.ts';
import { codeUnitOrder } from './code-unit-order.ts';

export interface PlannedAttempt {
  readonly taskId: TaskId;
  readonly modality: Modality;
  /** Wall time at the ninetieth percentile, judging included; 0 for an attempt whose outcome stands already. */
  readonly wallP90Ms: number;
}

export interface AdmissionRequest {
  readonly purpose: 'feedback' | 'selection';
  readonly attempts: readonly PlannedAttempt[];
  readonly lanes: number;
  /** What must still fit afterwards: the selection pass that makes feedback worth having; 0 for selection itself. */
  readonly reserveMs: number;
  /** Search time that is left. */
  readonly leftMs: number;
}

/** Work that cannot be used is not started. Only feedback passes shrink, to a declared subset. `needMs` has the reserve. */
export type Admission =
  | { readonly kind: 'admit'; readonly needMs: number; readonly leftMs: number }
  | {
      readonly kind: 'shrink';
      readonly taskIds: readonly TaskId[];
      readonly planned: number;
      /** Of the whole pass, which does not fit. */
      readonly needMs: number;
      readonly leftMs: number;
    }
  | { readonly kind: 'refuse'; readonly needMs: number; readonly leftMs: number };

/**
 * Admits a pass when the search time left covers it and the reserve. Otherwise, for feedback, the largest stratified
 * subset that fits and is still worth running: two thirds of the pass, and of each modality
 * three fifths (rounded down, but never none). Else a refusal.
 */
export function admit(request: AdmissionRequest): Admission {
  const { attempts, leftMs } = request;
  const needMs = needOf(request, attempts);
  if (needMs <= leftMs) return { kind: 'admit', needMs, leftMs };
  if (request.purpose === 'feedback') {
    const order = stratifiedOrder(attempts);
    for (let size = order.length - 1; size >= Math.max(1, Math.ceil((2 * attempts.length) / 3)); size -= 1) {
      const subset = order.slice(0, size);
      if (needOf(request, subset) > leftMs || !isBalanced(attempts, subset)) continue;
      const taskIds = subset.map(({ taskId }) => taskId).toSorted(codeUnitOrder);
      return { kind: 'shrink', taskIds, planned: attempts.length, needMs, leftMs };
    }
  }
  return { kind: 'refuse', needMs, leftMs };
}

/** Time of a pass over its lanes, never less than its longest attempt. */
export function passMs(attempts: readonly Pick<PlannedAttempt, 'wallP90Ms'>[], lanes: number): number {
  const total = attempts.reduce((sum, { wallP90Ms }) => sum + wallP90Ms, 0);
  const longest = attempts.reduce((most, { wallP90Ms }) => Math.max(most, wallP90Ms), 0);
  return Math.max(longest, Math.ceil(total / Math.max(1, lanes)));
}

function needOf({ lanes, reserveMs }: AdmissionRequest, attempts: readonly PlannedAttempt[]): number {
  return passMs(attempts, lanes) + reserveMs;
}

/** Task-id order within each modality, the modalities taking turns: every prefix is as balanced as it can be. */
function stratifiedOrder(attempts: readonly PlannedAttempt[]): PlannedAttempt[] {
  const turns = new Map<Modality, number>();
  return attempts
    .toSorted((left, right) => codeUnitOrder(left.taskId, right.taskId))
    .map((attempt) => {
      const turn = turns.get(attempt.modality) ?? 0;
      turns.set(attempt.modality, turn + 1);
      return { attempt, turn };
    })
    .toSorted((left, right) => left.turn - right.turn || codeUnitOrder(left.attempt.modality, right.attempt.modality))
    .map(({ attempt }) => attempt);
}

function isBalanced(planned: readonly PlannedAttempt[], subset: readonly PlannedAttempt[]): boolean {
  const count = (attempts: readonly PlannedAttempt[], wanted: Modality): number =>
    attempts.filter(({ modality }) => modality === wanted).length;
  return planned.every(
    ({ modality }) => count(subset, modality) >= Math.max(1, Math.floor(0.6 * count(planned, modality) + 1e-9)),
  );
}
