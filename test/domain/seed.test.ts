import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptSeed, seedOf } from '../../src/domain/seed.ts';
import { TaskId } from '../../src/schema/ids.ts';

describe('seedOf', () => {
  it('stays in [0, 2^31)', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), (parts) => {
        const seed = seedOf(...parts);
        expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
      }),
    );
  });

  it('keeps parts apart', () => {
    expect(seedOf('ab', 'c')).not.toBe(seedOf('a', 'bc'));
    expect(seedOf(1)).not.toBe(seedOf('1'));
  });
});

describe('attemptSeed', () => {
  it('is the same number in every version of anneal', () => {
    expect(attemptSeed(7, TaskId.parse('office-mini/x1'), 0)).toBe(1916944684);
  });

  it('changes with experiment seed, task and replicate', () => {
    const seeds = [
      attemptSeed(7, TaskId.parse('p/a'), 0),
      attemptSeed(8, TaskId.parse('p/a'), 0),
      attemptSeed(7, TaskId.parse('p/b'), 0),
      attemptSeed(7, TaskId.parse('p/a'), 1),
    ];
    expect(new Set(seeds).size).toBe(4);
  });
});
