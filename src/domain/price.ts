import type { Usage } from '../schema/model-call.ts';
import type { ModelPrice, Rates } from '../schema/prices.ts';
import type { MicroUsd } from '../schema/units.ts';

const TOKENS_PER_RATE = 1_000_000n;

/**
 * What a request cost, rounded up to a whole millionth of a dollar; null where the price is not known. Cache reads and
 * writes are parts of the input and have their own rates; reasoning is a part of the output.
 */
export function costOf(price: ModelPrice, usage: Usage): MicroUsd | null {
  if (price.kind !== 'rates') return withoutRates(price);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const rates = ratesFor(price, inputTokens);
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return total([
    [plain, rates.input],
    [cacheReadTokens, rates.cacheRead],
    [cacheWriteTokens, rates.cacheWrite],
    [outputTokens, rates.output],
  ]);
}

/**
 * The most that a request of at most so many tokens can cost: every prompt token at the dearest of the input rates.
 * Never below `costOf` of a usage within these tokens. null where the price is not known.
 */
export function costCeiling(price: ModelPrice, promptTokens: number, outputTokens: number): MicroUsd | null {
  if (price.kind !== 'rates') return withoutRates(price);
  const mayApply = [price.rates, ratesFor(price, promptTokens)];
  return total([
    [promptTokens, Math.max(...mayApply.flatMap(({ input, cacheRead, cacheWrite }) => [input, cacheRead, cacheWrite]))],
    [outputTokens, Math.max(...mayApply.map(({ output }) => output))],
  ]);
}

function withoutRates({ kind }: Exclude<ModelPrice, { kind: 'rates' }>): MicroUsd | null {
  return kind === 'free' ? (0 as MicroUsd) : null;
}

function ratesFor({ rates, longPrompt }: Extract<ModelPrice, { kind: 'rates' }>, promptTokens: number): Rates {
  return longPrompt !== null && promptTokens > longPrompt.above ? longPrompt.rates : rates;
}

/** Exact where products leave the safe range of numbers. */
function total(parts: readonly (readonly [tokens: number, rate: number])[]): MicroUsd {
  const sum = parts.reduce((all, [tokens, rate]) => all + BigInt(tokens) * BigInt(rate), 0n);
  return Number((sum + TOKENS_PER_RATE - 1n) / TOKENS_PER_RATE) as MicroUsd;
}
