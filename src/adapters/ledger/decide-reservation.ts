import { upperBound } from '../../domain/upper-bound.ts';
import type { CapUsage } from '../../schema/gateway.ts';

/** A request attempt beside everything that limits it; all counts but calls are tokens. */
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
  /** Caps over the whole experiment that the request draws on. */
  readonly caps: readonly CapFigures[];
}

/** One cap as it stands; tokens, or millionths of a dollar. */
export interface CapFigures {
  readonly kind: CapUsage['kind'];
  readonly charged: number;
  readonly reserved: number;
  /** What this lease may bring the whole experiment to: the limit, for a search less what is held. */
  readonly allowed: number;
  /** The most that so many tokens can cost of it. */
  readonly needOf: (promptTokens: number, outputTokens: number) => number;
}

type Refusal = Extract<ReservationDecision, { kind: 'refuse' }>;

/** `used`, `needed` and `allowed` are in the unit of `limit`: calls, tokens, or millionths of a dollar. */
export type ReservationDecision =
  | { readonly kind: 'reserve'; readonly tokens: number; readonly outputCap: number }
  | {
      readonly kind: 'refuse';
      readonly limit: 'calls' | 'tokens' | 'budget' | CapUsage['kind'];
      readonly used: number;
      readonly needed: number;
      readonly allowed: number;
      /** Only what others have in flight stands against it: it may fit once that is settled. */
      readonly waits: boolean;
    };

/**
 * Whether one more request attempt may be sent, and with which output cap. The attempt's tokens may lower the cap, down
 * to `minOutputTokens`; budget and caps never do, since what is left of them depends on neighbours in flight.
 */
export function decideReservation(figures: ReservationFigures): ReservationDecision {
  const { callsUsed, callsLimit, tokensUsed, tokensLimit, budgetUsed, budgetLimit } = figures;
  if (callsUsed + 1 > callsLimit) return refuse('calls', callsUsed, 1, callsLimit);
  const prompt = upperBound(figures.promptTokens, 0);
  const outputCap = Math.min(figures.maxOutputTokens, tokensLimit - tokensUsed - prompt);
  if (outputCap < Math.min(figures.minOutputTokens, figures.maxOutputTokens)) {
    return refuse('tokens', tokensUsed, upperBound(figures.promptTokens, figures.minOutputTokens), tokensLimit);
  }
  const tokens = upperBound(figures.promptTokens, outputCap);
  if (budgetLimit !== null && budgetUsed + tokens > budgetLimit) {
    return refuse('budget', budgetUsed, tokens, budgetLimit);
  }
  const refusals = figures.caps.flatMap((cap) => refusalOf(cap, cap.needOf(prompt, outputCap)));
  const [first] = [...refusals.filter(({ waits }) => !waits), ...refusals];
  return first ?? { kind: 'reserve', tokens, outputCap };
}

function refusalOf({ kind, charged, reserved, allowed }: CapFigures, needed: number): Refusal[] {
  if (charged + reserved + needed <= allowed) return [];
  return [refuse(kind, charged + reserved, needed, allowed, charged + needed <= allowed)];
}

function refuse(limit: Refusal['limit'], used: number, needed: number, allowed: number, waits = false): Refusal {
  return { kind: 'refuse', limit, used, needed, allowed, waits };
}
