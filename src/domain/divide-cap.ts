import { likelyTotal } from './likely-total.ts';
import type { Draw } from '../schema/draw.ts';

/** Held above the ninetieth percentile of attempts on the kinds of tasks that were run before. */
const knownMargin = 1.25;
/** Tasks of a kind that nobody has run yet may take twice as much as the others did. */
const newMargin = 2;

/** A cap, what stands against it, and what is still to come. */
export interface ShareRequest {
  /** Tokens, or millionths of a dollar; so are all amounts here. */
  readonly limit: number;
  readonly used: number;
  /** Attempts that the final test may come to: its tasks by H0 and one revision of each arm that evolves. */
  readonly finalAttempts: number;
  /** Those of them on tasks of a kind that is in no other split. */
  readonly ofNewKinds: number;
  readonly baselineAttempts: number;
  /** What one attempt drew so far, null before the first. */
  readonly perAttempt: Draw | null;
  /** The most that one more call can draw. */
  readonly perCall: number;
  /** Arms to come: how many, before their part was fixed, or the part itself. */
  readonly laterArms: { readonly count: number } | { readonly amount: number };
}

/** A cap divided; together with what is used the parts never exceed it. */
export interface Shares {
  readonly finals: number;
  readonly laterArms: number;
  /** What the search (or the baseline before it) may still spend. */
  readonly left: number;
}

/**
 * What of a cap is held for the final test, what for arms to come (equal parts of the rest), and what is left. The final
 * test comes first: where not everything fits, the search gets less, down to nothing. Before any attempt has been made,
 * the final test is held to cost as much per attempt as the baseline before it.
 */
export function divideCap(request: ShareRequest): Shares {
  const { limit, used, finalAttempts, ofNewKinds, baselineAttempts, perAttempt, perCall } = request;
  const available = Math.max(0, limit - used);
  const weight = (knownMargin * (finalAttempts - ofNewKinds) + newMargin * ofNewKinds) / Math.max(1, finalAttempts);
  const wanted =
    perAttempt === null
      ? Math.floor((limit * finalAttempts) / Math.max(1, finalAttempts + baselineAttempts))
      : Math.ceil(likelyTotal(finalAttempts, perAttempt) * weight) + perCall;
  const finals = finalAttempts === 0 ? 0 : Math.min(available, wanted);
  const rest = available - finals;
  const { laterArms: later } = request;
  const laterArms =
    'count' in later ? Math.floor((rest * later.count) / (later.count + 1)) : Math.min(rest, later.amount);
  return { finals, laterArms, left: rest - laterArms };
}
