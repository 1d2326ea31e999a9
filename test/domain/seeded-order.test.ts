import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededOrder } from '../../src/domain/seeded-order.ts';

const items = fc.uniqueArray(fc.string(), { maxLength: 30 });

describe('seededOrder', () => {
  it('keeps every item and depends on names and seed alone', () => {
    fc.assert(
      fc.property(items, fc.nat(), (given, seed) => {
        const order = seededOrder(seed, given);
        expect(order.toSorted()).toEqual(given.toSorted());
        expect(seededOrder(seed, given.toReversed())).toEqual(order);
      }),
    );
  });

  it('differs between seeds', () => {
    const given = Array.from({ length: 20 }, (_, index) => `t${index}`);
    expect(seededOrder(1, given)).not.toEqual(seededOrder(2, given));
  });
});
