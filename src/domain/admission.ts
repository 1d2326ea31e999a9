import type { TaskId } from '../schema/ids.ts';
import type { Modality } from '../schema/splits.ts';
import { codeUnitOrder } from './code-unit-order.ts';

export interface PlannedAttempt {
  readonly taskId: TaskId;
  readonly modality: Modality;
  /** Wall time of one attempt at the ninetieth percentile, at most its limit. */
  readonly wallP90Ms: number;
  readonly tokensP90: number;
}

export interface AdmissionRequest {
  readonly purpose: 'feedback' | 'selection';
  readonly attempts: readonly PlannedAttempt[];
  readonly lanes: number;
  /** What must still fit afterwards: the selection query that makes a feedback pass worth having; 0 for a query itself. */
  readonly reserveMs: number;
  /** Judging of the last attempts. */
  readonly judgeTailMs: number;
  readonly wallLeftMs: number;
  /** Solver tokens left; null = not limited. */
  readonly tokensLeft: number | null;
  /** Smallest subset of a feedback pass that is still worth running. */
  readonly minimum: { readonly tasks: number; readonly perModality: number };
}

interface AdmissionFigures {
  readonly needMs: number;
  readonly leftMs: number;
  readonly needTokens: number;
  readonly leftTokens: number | null;
}

/** Work that cannot be used is not started. Only feedback passes shrink, to a declared subset. */
export type Admission =
  | ({ readonly kind: 'admit' } & AdmissionFigures)
  | ({ readonly kind: 'shrink'; readonly taskIds: readonly TaskId[]; readonly planned: number } & AdmissionFigures)
  | ({ readonly kind: 'refuse'; readonly which: 'wall' | 'tokens' } & AdmissionFigures);

/**
 * Admits a pass when the time left covers its p90 over the lanes (never less than its longest attempt), the judge's
 * tail and the reserve, and the tokens left cover its p90. Otherwise the largest stratified subset that fits, if the
 * pass is feedback and the subset meets the minimum; else a refusal with the whole pass's figures.
 */
export function admit(request: AdmissionRequest): Admission {
  const whole = figuresOf(request, request.attempts);
  const obstacle = obstacleOf(whole);
  if (obstacle === null) return { kind: 'admit', ...whole };
  if (request.purpose === 'feedback') {
    const order = stratifiedOrder(request.attempts);
    for (let size = order.length - 1; size >= Math.max(1, request.minimum.tasks); size -= 1) {
      const subset = order.slice(0, size);
      const figures = figuresOf(request, subset);
      if (obstacleOf(figures) !== null || !meetsMinimum(request, subset)) continue;
      const taskIds = subset.map(({ taskId }) => taskId).toSorted(codeUnitOrder);
      return { kind: 'shrink', taskIds, planned: request.attempts.length, ...figures };
    }
  }
  return { kind: 'refuse', which: obstacle, ...whole };
}

function figuresOf(request: AdmissionRequest, attempts: readonly PlannedAttempt[]): AdmissionFigures {
  const total = attempts.reduce((sum, { wallP90Ms }) => sum + wallP90Ms, 0);
  const longest = attempts.reduce((most, { wallP90Ms }) => Math.max(most, wallP90Ms), 0);
  const pass = Math.max(longest, Math.ceil(total / Math.max(1, request.lanes)));
  return {
    needMs: pass + request.judgeTailMs + request.reserveMs,
    leftMs: request.wallLeftMs,
    needTokens: attempts.reduce((sum, { tokensP90 }) => sum + tokensP90, 0),
    leftTokens: request.tokensLeft,
  };
}

function obstacleOf(figures: AdmissionFigures): 'wall' | 'tokens' | null {
  if (figures.needMs > figures.leftMs) return 'wall';
  return figures.leftTokens !== null && figures.needTokens > figures.leftTokens ? 'tokens' : null;
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

/** Each planned modality keeps its minimum, or all it has if that is less. */
function meetsMinimum(request: AdmissionRequest, subset: readonly PlannedAttempt[]): boolean {
  const count = (attempts: readonly PlannedAttempt[], wanted: Modality): number =>
    attempts.filter(({ modality }) => modality === wanted).length;
  return request.attempts.every(
    ({ modality }) =>
      count(subset, modality) >= Math.min(request.minimum.perModality, count(request.attempts, modality)),
  );
}
