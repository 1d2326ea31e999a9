import { describe, expect, it } from 'vitest';
import { tomlPosition } from '../../src/adapters/toml-position.ts';

const text = `title = "x" # a = 1
plain.dotted = 3
note = """
[fake]
key = 1
"""
[a.b]
  key = 2
other = { inner = 5, deep = { key = 6 } }
[[list]]
key = 7
["quoted name"]
key = 8
`;

describe('the place of a TOML key', () => {
  it.each([
    [['title'], 1, 1],
    [['plain', 'dotted'], 2, 1],
    [['a', 'b', 'key'], 8, 3],
    [['a', 'b', 'other', 'inner'], 9, 11],
    [['a', 'b', 'other', 'deep', 'key'], 9, 31],
    [['list', 'key'], 11, 1],
    [['quoted name', 'key'], 13, 1],
  ])('%j is line %i, column %i', (path, line, column) => {
    expect(tomlPosition(text, path)).toEqual({ line, column });
  });

  it.each([
    ['its table', ['a', 'b', 'absent'], { line: 7, column: 1 }],
    ['its inline table', ['a', 'b', 'other', 'absent'], { line: 9, column: 1 }],
    ['nothing', ['absent'], null],
    ['nothing, although a text of several lines says so', ['fake', 'key'], null],
  ])('a key that is not written is told by %s', (_, path, expected) => {
    expect(tomlPosition(text, path)).toEqual(expected);
  });
});
