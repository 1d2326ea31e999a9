import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ShareRequest, divideCap } from '../../src/domain/divide-cap.ts';

const request: ShareRequest = {
  limit: 100_000,
  used: 10_000,
  finalAttempts: 10,
  ofNewKinds: 0,
  baselineAttempts: 5,
  perAttempt: { mean: 1000, deviation: 0 },
  perCall: 500,
  laterArms: { count: 0 },
};

describe('a cap', () => {
  it.each([
    ['holds a quarter more than the finals need on known kinds, and one call', {}, { finals: 13_000, left: 77_000 }],
    [
      'holds twice as much for tasks of kinds that nobody has run',
      { ofNewKinds: 10 },
      { finals: 20_500, left: 69_500 },
    ],
    [
      'is divided by attempts before the first one was made',
      { perAttempt: null, used: 0 },
      { finals: 66_666, left: 33_334 },
    ],
    ['leaves the search nothing where the finals need it all', { used: 90_000 }, { finals: 10_000, left: 0 }],
    ['leaves nobody anything once it is used up', { used: 120_000 }, { finals: 0, left: 0 }],
    ['holds nothing for finals without tasks', { finalAttempts: 0 }, { finals: 0, left: 90_000 }],
    [
      'gives every arm to come an equal part of the rest',
      { laterArms: { count: 2 } },
      { laterArms: 51_333, left: 25_667 },
    ],
    [
      'keeps the part of later arms while one searches',
      { laterArms: { amount: 40_000 } },
      { laterArms: 40_000, left: 37_000 },
    ],
    [
      'cuts the part of later arms before that of the finals',
      { laterArms: { amount: 80_000 } },
      { finals: 13_000, laterArms: 77_000, left: 0 },
    ],
  ] satisfies [string, Partial<ShareRequest>, object][])('%s', (_, changes, shares) => {
    expect(divideCap({ ...request, ...changes })).toMatchObject(shares);
  });

  it('is never promised twice: used, held and left stay within it, and the finals come first', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    const draw = fc.option(fc.record({ mean: amount, deviation: amount }));
    const later = fc.oneof(fc.record({ count: fc.nat(5) }), fc.record({ amount }));
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.nat(40),
        fc.nat(40),
        draw,
        amount,
        later,
        (limit, used, finals, baseline, ...rest) => {
          const [perAttempt, perCall, laterArms] = rest;
          const counts = { finalAttempts: finals, ofNewKinds: Math.floor(finals / 2), baselineAttempts: baseline };
          const shares = divideCap({ limit, used, ...counts, perAttempt, perCall, laterArms });
          const sum = shares.finals + shares.laterArms + shares.left;
          expect(sum).toBe(Math.max(0, limit - used));
          expect(Math.min(shares.finals, shares.laterArms, shares.left)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
