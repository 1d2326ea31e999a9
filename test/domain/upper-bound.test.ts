import { describe, expect, it } from 'vitest';
import { upperBound } from '../../src/domain/upper-bound.ts';

describe('upperBound', () => {
  it.each([
    [0, 4096, 4096],
    [10, 0, 11],
    [11, 0, 13],
    [1, 100, 102],
    [100_000, 4096, 114_096],
  ])('of %i prompt tokens and %i of output is %i', (prompt, output, bound) => {
    expect(upperBound(prompt, output)).toBe(bound);
  });
});
