import { moneyText } from '../../domain/money-text.ts';
import { tokensText } from '../layout/number-text.ts';
import type { PlannedCap } from './plan-estimate.ts';

/** What of a cap is left for the baseline beside what that takes; no line once the baseline is made. */
export function capShare({ kind, limit, baseline }: PlannedCap): string[] {
  if (baseline === null) return [];
  const { left, p50 } = baseline;
  const text = kind === 'money' ? moneyText : tokensText;
  const takes = p50 === null ? 'what it takes is not known' : `it takes ${text(p50)} at p50`;
  return [`${text(left)} of ${amountText(kind, limit)} left for the baseline beside the finals' part; ${takes}`];
}

/** What is wrong with a cap, for red; no line where it is large enough. */
export function capWarnings({ kind, limit, share, tooSmall, baseline }: PlannedCap): string[] {
  const cap = amountText(kind, limit);
  if (tooSmall) {
    return [`!  the cap of ${cap} does not cover baseline and H0's finals at p50: coverage would stay below its floor`];
  }
  const short = baseline !== null && baseline.p50 !== null && baseline.p50 > baseline.left;
  return [
    ...(short
      ? [`!  the cap of ${cap} leaves the baseline less than it takes at p50: attempts beyond it stay without a score`]
      : []),
    ...(share === null || share <= 1
      ? []
      : [
          `!  p90 is ${Math.round(100 * share)} % of the cap of ${cap}: the search may end early; the finals' part is held back first`,
        ]),
  ];
}

function amountText(kind: PlannedCap['kind'], amount: number): string {
  return kind === 'money' ? moneyText(amount) : `${tokensText(amount)} solver tokens`;
}
