import { describe, expect, it } from 'vitest';
import { countText, deltaText, pointsText, spanText, tokensText } from '../../../src/report/layout/number-text.ts';

describe('points and differences', () => {
  it.each([
    [null, '-'],
    [47.44, '47.4'],
    [0, '0.0'],
    [-3.25, '-3.3'],
  ])('%s points read %s', (points, text) => expect(pointsText(points)).toBe(text));

  it.each([
    [null, '-'],
    [0, '0.0'],
    [7.55, '+7.5'],
    [0.03, '+0.0'],
    [-1.72, '-1.7'],
    [-0.03, '-0.0'],
  ])('a difference of %s reads %s', (delta, text) => expect(deltaText(delta)).toBe(text));
});

describe('tokens', () => {
  it.each([
    [null, '-'],
    [0, '0'],
    [840, '840'],
    [41_200, '41.2k'],
    [99_960, '100k'],
    [412_499, '412k'],
    [999_600, '1.00M'],
    [2_750_000, '2.75M'],
    [147_640_000, '147.64M'],
  ])('%s read %s', (tokens, text) => expect(tokensText(tokens)).toBe(text));
});

describe('spans', () => {
  it.each([
    [400, '0 s'],
    [45_000, '45 s'],
    [60_000, '1 m'],
    [192_000, '3 m 12 s'],
    [3_600_000, '1 h'],
    [5_100_000, '1 h 25 m'],
    [86_400_000, '24 h'],
    [183_600_000, '2 d 3 h'],
  ])('%s ms read %s', (milliseconds, text) => expect(spanText(milliseconds)).toBe(text));
});

describe('counts', () => {
  it.each([
    [1, 'task', undefined, '1 task'],
    [0, 'task', undefined, '0 tasks'],
    [2, 'query', 'queries', '2 queries'],
  ])('%s of %s', (count, noun, irregular, text) => expect(countText(count, noun, irregular)).toBe(text));
});
