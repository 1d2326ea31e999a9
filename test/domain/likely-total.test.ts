import { describe, expect, it } from 'vitest';
import { drawOf, likelyTotal } from '../../src/domain/likely-total.ts';

describe('what attempts draw together', () => {
  it.each([
    ['nothing for none', 0, [5, 7], 0],
    ['their mean where all are alike', 4, [10, 10, 10], 40],
    ['more than their mean where they differ, but less than each at its ninetieth percentile', 4, [8, 12], 48],
    ['more where only one is known, which says little', 1, [10], 23],
  ])('is %s', (_, count, values, total) => {
    expect(likelyTotal(count, drawOf(values) ?? { mean: Number.NaN, deviation: 0 })).toBe(total);
  });

  it('is not known before the first', () => {
    expect(drawOf([])).toBeNull();
  });
});
