import { expect, test } from 'vitest';
import { deltaToH0 } from '../../src/domain/delta-to-h0.ts';

const numbered = (candidate: number, points: number) => ({ revision: { candidate }, points });

test.each([
  ['a candidate above H0', [numbered(0, 50), numbered(1, 60)], 60, 10],
  ['H0 itself', [numbered(0, 50)], 50, 0],
  ['a candidate where H0 has no number', [numbered(2, 60)], 60, null],
  ['the first number of all', [], 60, null],
])('the distance of %s from H0 is told, or that there is none', (_, evaluated, points, delta) => {
  expect(deltaToH0(evaluated, points)).toBe(delta);
});
