import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costCeiling, costOf } from '../../src/domain/price.ts';
import type { ModelPrice, Rates } from '../../src/schema/prices.ts';

const dollar = 1_000_000;
const rates = (input: number, output: number, cacheRead = input, cacheWrite = input): Rates => ({
  input: input * dollar,
  output: output * dollar,
  cacheRead: cacheRead * dollar,
  cacheWrite: cacheWrite * dollar,
});

function priced(each: Rates, longPrompt: { above: number; rates: Rates } | null = null): ModelPrice {
  return { kind: 'rates', rates: each, longPrompt, asOf: '2026-11-01', source: 'a price list' };
}

function usage(inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0) {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens: 0 };
}

describe('what a request cost', () => {
  const cached = priced(rates(3, 15, 0.3, 3.75));
  const tiered = priced(rates(0.1, 0.5), { above: 100_000, rates: rates(0.5, 2.5) });
  it.each([
    ['a million tokens in', cached, usage(1_000_000, 0), 3 * dollar],
    ['a million tokens out', cached, usage(0, 1_000_000), 15 * dollar],
    ['reads of a cache at their own rate', cached, usage(1_000_000, 0, 900_000), 0.3 * dollar + 270_000],
    ['writes to a cache at their own rate', cached, usage(1_000_000, 0, 0, 1_000_000), 3.75 * dollar],
    ['one token, rounded up to a millionth of a dollar', priced(rates(0.05, 0.2)), usage(1, 0), 1],
    ['nothing for no tokens', cached, usage(0, 0), 0],
    ['a prompt at the border of the long rates', tiered, usage(100_000, 100), 10_050],
    ['a prompt over it, every token of it', tiered, usage(100_001, 100), 50_251],
    ['more cached than input, as some providers tell it', cached, usage(10, 0, 20), 6],
  ])('is that of %s', (_, price, used, expected) => {
    expect(costOf(price, used)).toBe(expected);
  });

  it('is nothing where the model is free, and not known where its price is not', () => {
    expect(costOf({ kind: 'free', why: 'simulated' }, usage(5, 5))).toBe(0);
    expect(costOf({ kind: 'unknown', why: 'not listed' }, usage(5, 5))).toBeNull();
    expect(costCeiling({ kind: 'unknown', why: 'not listed' }, 5, 5)).toBeNull();
  });

  it('is exact beyond the safe range of products', () => {
    expect(costOf(priced(rates(100_000, 0)), usage(999_999_999, 0))).toBe(99_999_999_900_000);
  });
});

describe('the ceiling of a request', () => {
  const rate = fc.integer({ min: 0, max: 1_000 * dollar });
  const anyRates = fc.record({ input: rate, output: rate, cacheRead: rate, cacheWrite: rate });
  const anyPrice = fc
    .tuple(anyRates, fc.option(fc.record({ above: fc.integer({ min: 1, max: 5000 }), rates: anyRates })))
    .map(([each, longPrompt]) => priced(each, longPrompt));
  const tokens = fc.integer({ min: 0, max: 10_000 });

  it('is never below the cost of any usage within its tokens', () => {
    fc.assert(
      fc.property(
        anyPrice,
        tokens,
        tokens,
        fc.float({ min: 0, max: 1, noNaN: true }),
        tokens,
        tokens,
        (price, ...rest) => {
          const [prompt, output, share, read, write] = rest;
          const input = Math.floor(prompt * share);
          const cacheRead = Math.min(read, input);
          const cacheWrite = Math.min(write, input - cacheRead);
          const cost = costOf(price, usage(input, Math.floor(output * share), cacheRead, cacheWrite));
          expect(costCeiling(price, prompt, output)).toBeGreaterThanOrEqual(cost ?? Number.POSITIVE_INFINITY);
        },
      ),
    );
  });
});
