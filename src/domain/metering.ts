import type { ProviderResult } from '../schema/model-call.ts';
import { assertNever } from './assert-never.ts';

/**
 * Most tokens that one request can cost: the local prompt count with a margin of 10 % (tokenizers differ), rounded
 * up, plus the output cap. What is reserved before sending, and what is charged when nobody tells.
 */
export function upperBound(promptTokens: number, maxOutputTokens: number): number {
  return Math.ceil((promptTokens * 11) / 10) + maxOutputTokens;
}

/** `reported`: the provider's usage. `rejected`: a complete refusal, free. `upperBound`: the whole reservation. */
export interface Charge {
  readonly basis: 'reported' | 'rejected' | 'upperBound';
  /** Input + output tokens as the provider told them; null when it told none. Null is never 0. */
  readonly reported: number | null;
  readonly charged: number;
}

/** What one request attempt costs, given its reservation in tokens. */
export function chargeFor(result: ProviderResult, reserved: number): Charge {
  switch (result.kind) {
    case 'answered': {
      const { usage } = result.response;
      if (usage === null) return { basis: 'upperBound', reported: null, charged: reserved };
      const total = usage.inputTokens + usage.outputTokens;
      return { basis: 'reported', reported: total, charged: total };
    }
    case 'rejected':
      return { basis: 'rejected', reported: null, charged: 0 };
    case 'unknown':
      return { basis: 'upperBound', reported: null, charged: reserved };
    default:
      return assertNever(result);
  }
}

export type Reservation =
  | { readonly kind: 'reserve'; readonly tokens: number }
  | { readonly kind: 'refuse'; readonly needed: number; readonly left: number };

/** Whether a request may be sent: charged + reserved + its upper bound must stay within the limit. */
export function reserve(limit: number, chargedAndReserved: number, needed: number): Reservation {
  const left = Math.max(0, limit - chargedAndReserved);
  return needed <= left ? { kind: 'reserve', tokens: needed } : { kind: 'refuse', needed, left };
}
