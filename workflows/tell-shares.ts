import type { SearchAllowance } from '../src/contract/activities.ts';
import { moneyText } from '../src/domain/money-text.ts';
import type { ArmName } from '../src/schema/ids.ts';

/** One line on how a cap is divided before a phase that draws on it. */
export function tellShares(allowance: SearchAllowance, arm: ArmName | null): string {
  const { kind, limit, used, finals, laterArms, left, perAttempt } = allowance;
  const amount = (value: number): string => (kind === 'money' ? moneyText(value) : `${value} solver tokens`);
  const basis =
    perAttempt === null ? 'no attempt was made yet' : `an attempt takes ${amount(Math.ceil(perAttempt.mean))}`;
  const later = laterArms === 0 ? '' : `, ${amount(laterArms)} for arms to come`;
  const who = arm === null ? 'the baseline' : arm;
  return `${amount(used)} of ${amount(limit)} used, ${amount(finals)} held for the finals (${basis})${later}: ${amount(left)} for ${who}`;
}
