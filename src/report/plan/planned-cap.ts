import { divideCap } from '../../domain/divide-cap.ts';
import { shareAttempts } from '../../domain/share-attempts.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { PlannedCap, PlannedPart } from './plan-estimate.ts';
import { openOf } from './planned-parts.ts';

/** A figure at its middle and at the ninetieth percentile; tokens, or millionths of a dollar. */
export interface Likely {
  readonly p50: number;
  readonly p90: number;
}

/** A cap, what attempts on record drew of it, and what all that is still to be done draws; null = its price is not known. */
export interface CapDraw {
  readonly kind: PlannedCap['kind'];
  readonly limit: number;
  readonly spent: number;
  readonly solver: Likely | null;
  readonly total: Likely | null;
}

/** How a cap stands to what is still to be done: altogether, and what of it the baseline may spend. */
export function plannedCap(
  lock: ExperimentLock,
  { open, parts }: { readonly open: number; readonly parts: readonly PlannedPart[] },
  { kind, limit, spent, solver, total }: CapDraw,
): PlannedCap {
  const shareOf = (attempts: number): number => (open === 0 ? 0 : attempts / open);
  const baseline = openOf(parts, 'baseline');
  // What every experiment makes: the baseline, and the finals of H0.
  const least = shareOf(baseline + openOf(parts, 'final') / 2);
  return {
    kind,
    limit,
    share: total === null ? null : (spent + total.p90) / limit,
    tooSmall: total !== null && spent + total.p50 * least > limit,
    baseline:
      baseline === 0
        ? null
        : {
            left: Math.max(0, leftForBaseline(lock, limit) - spent),
            p50: solver === null ? null : Math.ceil(solver.p50 * shareOf(baseline)),
          },
  };
}

/** As the finals' part is held before the first attempt; it stands until the baseline is done. */
function leftForBaseline(lock: ExperimentLock, limit: number): number {
  const before = { limit, used: 0, perAttempt: null, perCall: 0, laterArms: { count: 0 } };
  return divideCap({ ...before, ...shareAttempts(lock) }).left;
}
