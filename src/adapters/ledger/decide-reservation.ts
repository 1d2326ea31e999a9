import { upperBound } from '../../domain/metering.ts';

export interface ReservationFigures {
  readonly promptTokens: number;
  readonly maxOutputTokens: number;
  readonly minOutputTokens: number;
  /** Request attempts of this epoch, those inherited with answered calls included, and the limit on them. */
  readonly callsUsed: number;
  readonly callsLimit: number;
  /** Charged, reserved and inherited tokens of this epoch, and the limit on them. */
  readonly tokensUsed: number;
  readonly tokensLimit: number;
  /** Charged and reserved tokens of the role in the arm; null limit = unlimited. */
  readonly budgetUsed: number;
  readonly budgetLimit: number | null;
}

export type ReservationDecision =
  | { readonly kind: 'reserve'; readonly tokens: number; readonly outputCap: number }
  | {
      readonly kind: 'refuse';
      readonly limit: 'calls' | 'tokens' | 'budget';
      readonly used: number;
      readonly needed: number;
      readonly allowed: number;
    };

/**
 * Whether one more request attempt may be sent, and with which output cap. The attempt's tokens may lower the cap, down
 * to `minOutputTokens`; the budget never does, since what is left of it depends on neighbours in flight.
 */
export function decideReservation(figures: ReservationFigures): ReservationDecision {
  const { callsUsed, callsLimit, tokensUsed, tokensLimit, budgetUsed, budgetLimit } = figures;
  if (callsUsed + 1 > callsLimit)
    return { kind: 'refuse', limit: 'calls', used: callsUsed, needed: 1, allowed: callsLimit };
  const prompt = upperBound(figures.promptTokens, 0);
  const outputCap = Math.min(figures.maxOutputTokens, tokensLimit - tokensUsed - prompt);
  if (outputCap < Math.min(figures.minOutputTokens, figures.maxOutputTokens)) {
    return {
      kind: 'refuse',
      limit: 'tokens',
      used: tokensUsed,
      needed: upperBound(figures.promptTokens, figures.minOutputTokens),
      allowed: tokensLimit,
    };
  }
  const tokens = upperBound(figures.promptTokens, outputCap);
  if (budgetLimit !== null && budgetUsed + tokens > budgetLimit) {
    return { kind: 'refuse', limit: 'budget', used: budgetUsed, needed: tokens, allowed: budgetLimit };
  }
  return { kind: 'reserve', tokens, outputCap };
}
