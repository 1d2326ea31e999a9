import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentsOf, toolInputOf } from '../../src/domain/tool-input.ts';

describe('arguments of a tool call', () => {
  it.each([
    ['an object', '{"command":"ls"}', { command: 'ls' }],
    ['nothing', '', {}],
    ['a list', '[1]', { unparsed_arguments: '[1]' }],
    ['a number', '5', { unparsed_arguments: '5' }],
    ['half an object', '{"command": ', { unparsed_arguments: '{"command": ' }],
    ['null', 'null', { unparsed_arguments: 'null' }],
  ])('that are %s travel as an object', (_, written, expected) => {
    expect(toolInputOf(written)).toEqual(expected);
  });

  it('come back as they were written where they were no object, and as the same object where they were one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.json()), (written) => {
        const back = argumentsOf(toolInputOf(written));
        const read = (text: string): unknown => toolInputOf(text);
        expect(read(back)).toEqual(read(written));
        expect('unparsed_arguments' in toolInputOf(written) ? back : written).toBe(written);
      }),
    );
  });

  it.each([
    [undefined, '{}'],
    [null, '{}'],
    ['{"a', '{"a'],
    [[1], '[1]'],
    [{ unparsed_arguments: 5 }, '{"unparsed_arguments":5}'],
    [{ unparsed_arguments: 'x', more: 1 }, '{"unparsed_arguments":"x","more":1}'],
  ])('given as %j are read as %s', (input, expected) => {
    expect(argumentsOf(input)).toBe(expected);
  });
});
