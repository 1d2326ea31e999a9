import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { stripVTControlCharacters } from 'node:util';
import { wrapText } from '../../src/cli/wrap-text.ts';

const colours = picocolors.createColors(true);

describe('a line that is wider than the terminal', () => {
  it.each([
    [
      'goes on below the text behind its label',
      'budget      per arm 2.00M updater tokens, 3 candidates',
      'budget      per arm 2.00M updater\n            tokens, 3 candidates',
    ],
    [
      'is broken where blanks part what stands side by side',
      'still running: exp_41d0c2ab     come back: later',
      'still running: exp_41d0c2ab\n  come back: later',
    ],
    [
      'keeps a command whole, on a line of its own',
      ' needs you  paused on request     anneal resume exp_41d0c2ab',
      ' needs you  paused on request\n            anneal resume exp_41d0c2ab',
    ],
    ['keeps a word whole that is too long', `see ${'x'.repeat(50)} there`, `see\n  ${'x'.repeat(50)}\n  there`],
    ['keeps a number and its unit together', `${'word '.repeat(7)}xy 12 s more`, `${'word '.repeat(7)}xy\n  12 s more`],
    ['keeps its own indentation', `    ${'word '.repeat(9)}end`, `    ${'word '.repeat(6)}word\n      word word end`],
  ])('%s', (_, text, expected) => {
    expect(wrapText(text, 40)).toBe(expected);
  });

  it('loses nothing but blanks, and is no wider than the terminal', () => {
    const words = fc.array(fc.stringMatching(/^[a-z.]{1,15}$/), { minLength: 1 });
    const gaps = fc.constantFrom(' ', '  ', '     ');
    fc.assert(
      fc.property(words, gaps, fc.integer({ min: 32, max: 70 }), (parts, gap, columns) => {
        const wrapped = wrapText(parts.join(gap), columns);
        expect(wrapped.split(/\s+/)).toEqual(parts);
        for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('is measured without its colours', () => {
    const coloured = `${colours.dim('next'.padEnd(12))}${colours.yellow('one two three four five six')}`;
    expect(wrapText(coloured, 39)).toBe(coloured);
    expect(stripVTControlCharacters(wrapText(coloured, 30))).toBe(
      'next        one two three four\n            five six',
    );
  });
});

it('lines that fit are left as they are', () => {
  expect(wrapText('a   b\n\n  c', 40)).toBe('a   b\n\n  c');
});
