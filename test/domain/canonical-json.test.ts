import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/domain/canonical-json.ts';

describe('canonicalJson', () => {
  it('sorts keys by code unit at every depth and writes no blanks', () => {
    expect(canonicalJson({ b: [1, { z: null, a: true }], B: 'x', a: undefined })).toBe(
      '{"B":"x","b":[1,{"a":true,"z":null}]}',
    );
  });

  it('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    ['NaN', Number.NaN],
    ['infinity', [Infinity]],
    ['a Map', { m: new Map() }],
    ['a Set', new Set()],
    ['a Date', new Date(0)],
    ['a function', () => 1],
    ['undefined', undefined],
  ])('refuses %s, which JSON would change silently', (_, value) => {
    expect(() => canonicalJson(value)).toThrow('canonical JSON');
  });

  it('refuses a cycle', () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(() => canonicalJson(loop)).toThrow('nested deeper');
  });
});
