import type { TaskId } from '../schema/ids.ts';
import type { Modality } from '../schema/splits.ts';
import { likelyTotal } from './likely-total.ts';
import type { Draw } from '../schema/draw.ts';
import { codeUnitOrder } from './code-unit-order.ts';

/** An attempt of the pass that is asked for, with the time it is likely to take. */
export interface PlannedAttempt {
  readonly taskId: TaskId;
  readonly modality: Modality;
  /** Wall time at the ninetieth percentile, judging included; 0 for an attempt whose outcome stands already. */
  readonly wallP90Ms: number;
}

/** A cap over the whole experiment as a pass meets it: tokens, or millionths of a dollar. */
export interface PassAllowance {
  readonly kind: 'solver-tokens' | 'money';
  /** What one attempt draws; null where nothing is known yet, for the cap holds at the gateway anyway. */
  readonly perAttempt: Draw | null;
  /** Attempts that must still fit afterwards: the selection pass that makes feedback worth having. */
  readonly attemptsAfter: number;
  /** What the updater draws for each attempt of the pass before anything comes of it. */
  readonly updaterPerAttempt: number;
  /** The most that one more call can draw, which must fit as well. */
  readonly perCall: number;
  readonly left: number;
}

/** A cap that does not do for a pass; `need` is of the whole pass, with what must fit afterwards. */
export interface Shortage {
  readonly kind: PassAllowance['kind'];
  readonly need: number;
  readonly left: number;
}

/** A pass beside the time and the caps that are left; all times in milliseconds. */
export interface AdmissionRequest {
  readonly purpose: 'feedback' | 'selection';
  readonly attempts: readonly PlannedAttempt[];
  readonly lanes: number;
  /** What must still fit afterwards: the selection pass that makes feedback worth having; 0 for selection itself. */
  readonly reserveMs: number;
  /** Search time that is left. */
  readonly leftMs: number;
  /** Caps that the pass draws on as well. */
  readonly allowances?: readonly PassAllowance[];
}

/**
 * Work that cannot be used is not started. Only feedback passes shrink, to a declared subset. `needMs` has the reserve and
 * is of the whole pass; `short` is the cap that does not do, absent where it is time.
 */
export type Admission =
  | { readonly kind: 'admit'; readonly needMs: number; readonly leftMs: number }
  | {
      readonly kind: 'shrink';
      readonly taskIds: readonly TaskId[];
      readonly planned: number;
      readonly needMs: number;
      readonly leftMs: number;
      readonly short?: Shortage;
    }
  | { readonly kind: 'refuse'; readonly needMs: number; readonly leftMs: number; readonly short?: Shortage };

/**
 * Admits a pass when search time and caps cover it and the reserve. Otherwise, for feedback, the largest stratified
 * subset that fits and is still worth running: two thirds of the pass, and of each modality three fifths (rounded down,
 * but never none). Else a refusal.
 */
export function admit(request: AdmissionRequest): Admission {
  const { attempts, leftMs } = request;
  const needMs = needOf(request, attempts);
  if (fits(request, attempts)) return { kind: 'admit', needMs, leftMs };
  const figures = { needMs, leftMs, ...(needMs > leftMs ? {} : shortageOf(request, attempts)) };
  if (request.purpose === 'feedback') {
    const order = stratifiedOrder(attempts);
    for (let size = order.length - 1; size >= Math.max(1, Math.ceil((2 * attempts.length) / 3)); size -= 1) {
      const subset = order.slice(0, size);
      if (!fits(request, subset) || !isBalanced(attempts, subset)) continue;
      const taskIds = subset.map(({ taskId }) => taskId).toSorted(codeUnitOrder);
      return { kind: 'shrink', taskIds, planned: attempts.length, ...figures };
    }
  }
  return { kind: 'refuse', ...figures };
}

function fits(request: AdmissionRequest, attempts: readonly PlannedAttempt[]): boolean {
  return needOf(request, attempts) <= request.leftMs && shortageOf(request, attempts).short === undefined;
}

/** The first cap that does not do. An attempt whose outcome stands draws nothing. */
function shortageOf(
  { allowances = [] }: AdmissionRequest,
  attempts: readonly PlannedAttempt[],
): { readonly short?: Shortage } {
  const open = attempts.filter(({ wallP90Ms }) => wallP90Ms > 0).length;
  for (const { kind, perAttempt, attemptsAfter, updaterPerAttempt, perCall, left } of open === 0 ? [] : allowances) {
    const solver = perAttempt === null ? 0 : likelyTotal(open + attemptsAfter, perAttempt);
    const need = solver + attempts.length * updaterPerAttempt + perCall;
    if (need > left) return { short: { kind, need, left } };
  }
  return {};
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
