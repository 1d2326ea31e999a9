import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../src/domain/sha256.ts';
import { utf8Length } from '../../src/domain/utf8-length.ts';

const texts = fc.string({ unit: 'binary', maxLength: 300 });

describe('sha256Of', () => {
  it('agrees with the hash that activities compute', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(sha256Of(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
      }),
    );
  });
});

describe('utf8Length', () => {
  it('agrees with the bytes that are written', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'));
      }),
    );
  });
});
