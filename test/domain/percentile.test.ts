import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentile } from '../../src/domain/percentile.ts';

describe('percentile', () => {
  it.each([
    [[], 0.9, null],
    [[7], 0.9, 7],
    [[10, 1, 9, 2, 8, 3, 7, 4, 6, 5], 0.9, 9],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0.9, 10],
    [[3, 1, 2], 0.5, 2],
    [[3, 1, 2], 0, 1],
    [[3, 1, 2], 1, 3],
  ])('of %j at %d is %j', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });

  it('is a value that at least the share does not exceed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          const found = percentile(values, share);
          expect(values).toContain(found);
          expect(values.filter((value) => value <= (found ?? 0)).length).toBeGreaterThanOrEqual(
            share * values.length - 1e-6,
          );
        },
      ),
    );
  });
});
