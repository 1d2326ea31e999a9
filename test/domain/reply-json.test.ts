import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replyJson } from '../../src/domain/reply-json.ts';

describe('replyJson', () => {
  it.each([
    ['a bare object', '{"a": 1}', { a: 1 }],
    ['a fenced object', 'Here it is:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
    ['an object after prose with brackets', 'I read [1] and {that} first. {"a": [2]} ok', { a: [2] }],
    ['a bare list of objects', '[{"type": "ADD"}, {"type": "X"}]', [{ type: 'ADD' }, { type: 'X' }]],
    ['braces inside texts', '{"a": "}{ \\" ]"}', { a: '}{ " ]' }],
    ['the first of two objects', '{"a": 1} {"b": 2}', { a: 1 }],
  ])('finds %s', (_, reply, value) => {
    expect(replyJson(reply)).toEqual({ kind: 'json', value });
  });

  it.each([
    [
      'inside the third element',
      '{"r": "x", "operations": [{"a": 1}, {"b": 2}, {"c": "unfin',
      { r: 'x', operations: [{ a: 1 }, { b: 2 }] },
    ],
    [
      'inside a member of the third element',
      '{"operations": [{"a": 1}, {"b": 2, "c": "unfin',
      { operations: [{ a: 1 }, { b: 2 }] },
    ],
    ['between two elements', '{"operations": [{"a": 1},', { operations: [{ a: 1 }] }],
    ['inside the second text', '{"key_insight": "whole", "reasoning": "not wh', { key_insight: 'whole' }],
    ['after a fence opened', '```json\n{"a": {"b": 1}, "c": ', { a: { b: 1 } }],
  ])('keeps what was complete when the reply is cut %s', (_, reply, value) => {
    expect(replyJson(reply)).toEqual({ kind: 'cut', value });
  });

  it.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['no object here', 'no-json'],
    ['[1, 2]', 'no-json'],
    ['{"a', 'no-json'],
    ['{]', 'no-json'],
  ])('says why there is none in %j', (reply, why) => {
    expect(replyJson(reply)).toEqual({ kind: 'none', why });
  });

  it('never throws, and finds every object that a model wrote with prose around it', () => {
    const prose = fc.string().map((text) => text.replaceAll(/[{[]/g, ''));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, value, after) => {
        expect(replyJson(`${before}${JSON.stringify(value)}${after}`)).toEqual({
          kind: 'json',
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void replyJson(text)));
  });

  it('never throws on a reply cut at any place', () => {
    const reply = JSON.stringify({
      reasoning: 'a "b" \\ c',
      operations: [{ type: 'ADD', section: 'x', content: 'y' }, 1, null],
    });
    for (let length = 0; length <= reply.length; length += 1) replyJson(reply.slice(0, length));
    expect(replyJson(reply.slice(0, -1)).kind).toBe('cut');
  });
});
