import type { CapUsage } from '../../schema/gateway.ts';

/** A figure at its middle, at the ninetieth percentile, and at the most that the budgets let happen; null = not known. */
export interface Estimate {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly ceiling: number | null;
}

/** One part of an experiment: what it comes to altogether, and how much of it stands on record. */
export interface PlannedPart {
  readonly part: 'baseline' | 'feedback' | 'selection' | 'final';
  readonly attempts: number;
  /** Scored before: neither run nor paid again. */
  readonly reused: number;
}

/** Where figures come from. */
export type EstimateBasis =
  | { readonly kind: 'records'; readonly attempts: number; readonly experiments: readonly string[] }
  /** Nobody ran these models here: shares of the limits that are declared, not measured. */
  | { readonly kind: 'defaults' };

/** A cap over the whole experiment beside what is left of it; tokens, or millionths of a dollar. */
export interface PlannedCap {
  readonly kind: CapUsage['kind'];
  readonly limit: number;
  /** Of what is to be spent at p90, as a share of the limit; null where it is not known. */
  readonly share: number | null;
  /** Baseline and H0's finals alone do not fit at p50. */
  readonly tooSmall: boolean;
  /** What is left for the baseline once the finals' part is held; null where nothing of the baseline is still to be made. */
  readonly baseline: {
    readonly left: number;
    /** What its open attempts take at p50, null where it is not known. */
    readonly p50: number | null;
  } | null;
}

/** `anneal run FILE --dry-run --json`, version 1: what is still to be done, nothing of it started. */
export interface PlanEstimate {
  readonly version: 1;
  readonly experiment: string;
  readonly name: string;
  readonly digest: string;
  readonly lanes: number;
  /** `known`: the same contents were run here before; `complete` and `cancelled`: to their end, nothing is left. */
  readonly standing: 'new' | 'known' | 'complete' | 'cancelled';
  readonly parts: readonly PlannedPart[];
  /** Attempts still to be made; the ceiling has every retry after infrastructure failures. */
  readonly attempts: Estimate;
  readonly queries: { readonly planned: number; readonly limit: number };
  readonly solverTokens: Estimate;
  readonly updaterTokens: Estimate & { readonly limit: number };
  /** Milliseconds. Attempts over the lanes; calls of updaters come on top. */
  readonly wallMs: Estimate & { readonly searchLimit: number };
  /** Millionths of a dollar. */
  readonly microUsd: Estimate;
  readonly money: 'priced' | 'free' | 'unknown';
  readonly unknownPrices: readonly string[];
  readonly caps: readonly PlannedCap[];
  readonly solverBasis: EstimateBasis;
  readonly updaterBasis: EstimateBasis;
}
