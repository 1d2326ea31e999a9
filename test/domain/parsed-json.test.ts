import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsedJson } from '../../src/domain/parsed-json.ts';

describe('parsedJson', () => {
  it('gives every JSON value, null too', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parsedJson(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(parsedJson('null')).toBeNull();
  });

  it.each(['', '{"a": 1', '\0\0', 'nan', '{} {}'])('has no value for %j, which is none', (text) => {
    expect(parsedJson(text)).toBeUndefined();
  });
});
