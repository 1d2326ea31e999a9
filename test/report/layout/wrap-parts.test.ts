import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrapParts } from '../../../src/report/layout/wrap-parts.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/));

describe('wrapped parts', () => {
  it('keep every part, in order, whatever the width', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 60 }), (parts, width) => {
        expect(wrapParts(parts, width).flatMap((line) => line.split('   '))).toEqual(parts);
      }),
    );
  });

  it('stay within the width, but for a part that is longer by itself', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (parts, width) => {
        for (const line of wrapParts(parts, width)) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });
});
