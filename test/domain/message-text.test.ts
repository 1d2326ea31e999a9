import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageText } from '../../src/domain/message-text.ts';

describe('messageText', () => {
  it.each([
    ['a text', { role: 'assistant', content: 'hi' }, 'hi'],
    ['no content', { role: 'assistant', content: null }, ''],
    ['absent content', { role: 'assistant' }, ''],
    ['a block list', { role: 'user', content: [{ type: 'input_text', text: 'a' }, 'b', { type: 'image' }] }, 'a\nb'],
    [
      'a tool call alone',
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'bash', arguments: '{"command":"ls"}' } }] },
      'ls',
    ],
    [
      'arguments that are no JSON',
      { role: 'assistant', content: 'x', tool_calls: [{ function: { arguments: '{"comm' } }] },
      'x\n{"comm',
    ],
    [
      'a Responses object',
      {
        object: 'response',
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'ok' }] },
          { type: 'function_call', arguments: '{"command":"pwd"}' },
        ],
      },
      'ok\npwd',
    ],
    ['a Responses observation', { type: 'function_call_output', call_id: '1', output: 'done' }, 'done'],
    ['null', null, ''],
    ['a list', ['x'], ''],
  ])('reads %s', (_, message, expected) => {
    expect(messageText(message)).toBe(expected);
  });

  it('is a text of whatever a harness wrote, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (message) => {
        expect(typeof messageText(message)).toBe('string');
      }),
    );
  });
});
