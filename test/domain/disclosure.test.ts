import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disclose } from '../../src/domain/disclosure.ts';

describe('disclose', () => {
  it.each([
    [47.44, 0.1, 47.4],
    [54.98, 0.1, 55],
    [0.15, 0.1, 0.2],
    [0.25, 0.1, 0.3],
    [-0.15, 0.1, -0.2],
    [-0.04, 0.1, 0],
    [33.333333, 1, 33],
    [37.4, 0.5, 37.5],
    [2.5, 5, 5],
    [12.34567, 0.001, 12.346],
  ])('%d at steps of %d is told as %d', (exact, step, told) => {
    expect(disclose(exact, step)).toBe(told);
  });

  it('stays within half a step of the exact number', () => {
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), fc.constantFrom(0.1, 0.5, 1, 5), (exact, step) => {
        expect(Math.abs(disclose(exact, step) - exact)).toBeLessThanOrEqual(step / 2 + 1e-6);
      }),
    );
  });

  it('never tells a negative zero', () => {
    expect(Object.is(disclose(-0.01, 0.1), 0)).toBe(true);
  });
});
