import { pointsText } from '../layout/number-text.ts';
import type { Outcome } from '../../schema/outcome.ts';

/** How an attempt ended and why, in words. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'scored':
      return `scored ${pointsText(100 * outcome.reward)}`;
    case 'scored_with_agent_error':
      return `scored ${pointsText(100 * outcome.reward)} with agent error ${outcome.cause}${outcome.signature === '' ? '' : ` (${outcome.signature})`}`;
    case 'unscored_infra':
      return `unscored: infrastructure, ${outcome.phase}: ${outcome.reason}`;
    case 'cancelled':
      return `cancelled by ${outcome.by}`;
  }
}
