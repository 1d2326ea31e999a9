import { describe, expect, it } from 'vitest';
import { checkCoverage } from '../../src/domain/coverage-floor.ts';

const floors = { selection: 1, final: 0.95 };

describe('checkCoverage', () => {
  it.each([
    ['selection', 30, 30, 'covered'],
    ['selection', 29, 30, 'below_floor'],
    ['final-in-domain', 57, 60, 'covered'],
    ['final-in-domain', 56, 60, 'below_floor'],
    ['final-cross-office', 19, 20, 'covered'],
    ['final-cross-office', 3, 4, 'below_floor'],
    ['feedback', 0, 90, 'covered'],
  ] as const)('%s with %i of %i scored is %s', (split, scored, planned, kind) => {
    expect(checkCoverage(split, { scored, planned }, floors).kind).toBe(kind);
  });

  it('tells both numbers and the floor', () => {
    expect(checkCoverage('selection', { scored: 1, planned: 3 }, floors)).toEqual({
      kind: 'below_floor',
      scored: 1,
      planned: 3,
      floor: 1,
    });
  });

  it('takes the floors that the experiment configures', () => {
    expect(checkCoverage('final-in-domain', { scored: 1, planned: 2 }, { selection: 1, final: 0.5 }).kind).toBe(
      'covered',
    );
  });
});
