import { assertNever } from '../../domain/assert-never.ts';
import type { Action, Estimate } from '../step-machine.ts';

/** Input tokens of one call at the ninetieth percentile: transcript, evidence and a grown playbook. */
const promptTokensP90 = 15_000;
const callWallMs = 120_000;

/** Updater tokens and wall time of one action; solver tokens are budgeted by the attempts. */
export function estimateAction(action: Action): Estimate {
  switch (action.kind) {
    case 'call-model':
      return { tokensP90: promptTokensP90 + action.maxTokens, wallP90Ms: callWallMs, attempts: 0 };
    case 'batch': {
      const parts = action.actions.map(estimateAction);
      return {
        tokensP90: parts.reduce((sum, { tokensP90 }) => sum + tokensP90, 0),
        wallP90Ms: parts.reduce((most, { wallP90Ms }) => Math.max(most, wallP90Ms), 0),
        attempts: parts.reduce((sum, { attempts }) => sum + attempts, 0),
      };
    }
    case 'run-feedback':
      return { tokensP90: 0, wallP90Ms: 0, attempts: action.taskIds.length };
    case 'run-session':
      return { tokensP90: action.tokenCap, wallP90Ms: action.wallCapMs, attempts: 0 };
    case 'derive':
    case 'validate':
    case 'submit':
    case 'note':
    case 'finish':
      return { tokensP90: 0, wallP90Ms: 0, attempts: 0 };
    default:
      return assertNever(action);
  }
}
