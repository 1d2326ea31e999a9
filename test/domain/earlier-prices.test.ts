import { describe, expect, it } from 'vitest';
import { earlierPrices } from '../../src/domain/earlier-prices.ts';
import type { ModelPrice } from '../../src/schema/prices.ts';

const a: ModelPrice = { kind: 'free', why: 'a' };
const b: ModelPrice = { kind: 'free', why: 'b' };

describe('prices of before', () => {
  it.each<[string, Parameters<typeof earlierPrices>[0], Parameters<typeof earlierPrices>[1], unknown]>([
    ['are none where nothing changed', { prices: { solver: a } }, { prices: { solver: a } }, {}],
    ['are none where none stood', {}, { prices: { solver: a } }, {}],
    [
      'are the one that stood',
      { prices: { solver: a } },
      { prices: { solver: b } },
      { earlierPrices: { solver: [a] } },
    ],
    ['are kept where none stands any more', { prices: { judge: a } }, {}, { earlierPrices: { judge: [a] } }],
    [
      'stay when nothing changes again',
      { prices: { solver: b }, earlierPrices: { solver: [a] } },
      { prices: { solver: b } },
      { earlierPrices: { solver: [a] } },
    ],
    [
      'stand once each, the oldest first',
      { prices: { solver: a }, earlierPrices: { solver: [a, b] } },
      { prices: { solver: b } },
      { earlierPrices: { solver: [a, b] } },
    ],
  ])('%s', (_, before, now, expected) => {
    expect(earlierPrices(before, now)).toEqual(expected);
  });
});
