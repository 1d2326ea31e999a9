import { describe, expect, it } from 'vitest';
import { nameChampions, type SelectionEntry } from '../../src/domain/champions.ts';
import { HarnessDigest } from '../../src/schema/ids.ts';

const digest = (letter: string): HarnessDigest => HarnessDigest.parse(letter.repeat(64));
const entry = (candidate: number, exactPoints: number | null, letter = String(candidate)): SelectionEntry => ({
  revision: digest(letter),
  candidate,
  exactPoints,
});

describe('nameChampions', () => {
  it.each([
    ['the best candidate when it beats H0', [entry(0, 47), entry(1, 51), entry(2, 49)], 1, 1],
    ['H0 beside the best candidate when none beats it', [entry(0, 47.44), entry(1, 40.41)], 0, 1],
    ['the earlier of two candidates that tie', [entry(0, 10), entry(1, 51), entry(2, 51)], 1, 1],
    ['H0 as gated when a candidate only ties with it', [entry(0, 50), entry(1, 50)], 0, 1],
    ['by exact scores that would be one number when rounded', [entry(0, 50), entry(1, 50.01), entry(2, 50.04)], 2, 2],
    ['no candidate that was not evaluated', [entry(0, 40), entry(1, null), entry(2, 45)], 2, 2],
    ['negative scores too', [entry(0, -20), entry(1, -10)], 1, 1],
  ])('names %s', (_, entries, gated, bestEvolved) => {
    expect(nameChampions(entries)).toMatchObject({
      gated: { kind: 'champion', candidate: gated },
      bestEvolved: { kind: 'champion', candidate: bestEvolved },
    });
  });

  it.each([
    ['there is no candidate', [entry(0, 47)], 'no candidate'],
    ['none was evaluated', [entry(0, 47), entry(1, null)], 'no candidate was evaluated'],
    ['the only candidate repeats the bytes of H0', [entry(0, 47), entry(1, 47, '0')], 'no candidate'],
  ])('names no evolved revision when %s', (_, entries, why) => {
    expect(nameChampions(entries).bestEvolved).toEqual({ kind: 'none', why });
  });

  it('names no gated revision when H0 has no number', () => {
    expect(nameChampions([entry(0, null), entry(1, 50)]).gated.kind).toBe('none');
  });
});
