import type { AttemptRecord, ExperimentRecord } from '../schema/record.ts';
import { rewardOf } from './outcome.ts';

/** What one attempt drew over all its epochs. */
export interface AttemptDraw {
  readonly calls: number;
  readonly tokens: number;
  /** Millionths of a dollar, null where a price was not known. */
  readonly microUsd: number | null;
  /** Milliseconds from the start of the run to its verdict. */
  readonly wallMs: number;
}

/** Every scored attempt once, lost epochs included: what they cost belongs to what an attempt costs. */
export function attemptDraws(records: readonly ExperimentRecord[]): AttemptDraw[] {
  const byKey = new Map<string, AttemptRecord[]>();
  for (const record of records) {
    if (record.kind === 'attempt') byKey.set(record.key, [...(byKey.get(record.key) ?? []), record]);
  }
  return [...byKey.values()]
    .filter((epochs) => epochs.some(({ outcome }) => rewardOf(outcome) !== null))
    .map((epochs) => ({
      calls: sum(epochs.map(({ usage }) => usage.calls)),
      tokens: sum(epochs.map(({ usage }) => usage.tokensCharged)),
      microUsd: epochs.every(({ usage }) => usage.microUsdCharged !== undefined)
        ? sum(epochs.map(({ usage }) => usage.microUsdCharged ?? 0))
        : null,
      wallMs: sum(epochs.map(({ wallMs, phases }) => wallMs + Math.round(phases['judge'] ?? 0))),
    }));
}

/** One figure over the draws that have it. */
export function figuresOf(draws: readonly AttemptDraw[], figure: 'tokens' | 'microUsd' | 'wallMs'): number[] {
  return draws.flatMap((draw) => draw[figure] ?? []);
}

/** Mean tokens of one call over all attempts; 0 before the first. */
export function tokensPerCall(draws: readonly AttemptDraw[]): number {
  const calls = sum(draws.map((draw) => draw.calls));
  return calls === 0 ? 0 : sum(draws.map(({ tokens }) => tokens)) / calls;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
