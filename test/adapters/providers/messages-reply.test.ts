import { describe, expect, it } from 'vitest';
import { messagesCodec } from '../../../src/adapters/providers/messages-codec.ts';
import { ToldFailure } from '../../../src/adapters/providers/wire-codec.ts';
import type { Delta } from '../../../src/contract/provider-port.ts';

const usage = { input_tokens: 10, output_tokens: 2 };
const counts = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

function read(content: unknown, more: Record<string, unknown> = {}) {
  return messagesCodec.reply(
    { id: 'm', type: 'message', role: 'assistant', model: 's', content, stop_reason: 'end_turn', usage, ...more },
    'asked',
  );
}

describe('a block', () => {
  it.each([
    [
      'whole',
      { type: 'tool_use', id: 'x', name: 'bash', input: { a: 1 } },
      { id: 'x', name: 'bash', arguments: '{"a":1}' },
    ],
    ['without id and name', { type: 'tool_use', input: {} }, { id: 'call_0', name: '', arguments: '{}' }],
    ['without input', { type: 'tool_use', id: 'x', name: 'bash' }, { id: 'x', name: 'bash', arguments: '{}' }],
    [
      'with a text for input',
      { type: 'tool_use', id: 'x', name: 'bash', input: '{"a' },
      { id: 'x', name: 'bash', arguments: '{"a' },
    ],
  ])('that is a call, %s, stays what the model wrote', (_, block, expected) => {
    expect(read([block], { stop_reason: 'tool_use' })).toMatchObject({
      toolCalls: [expected],
      finishReason: 'tool_calls',
    });
  });

  it('of thought is kept where it is signed or sealed', () => {
    const blocks = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'thinking', thinking: 'unsigned' },
    ];
    expect(read(blocks).reasoning).toEqual([
      { kind: 'thinking', text: 'hm', signature: 's' },
      { kind: 'redacted-thinking', data: 'd' },
    ]);
  });
});

it.each([
  ['a text', 'hi', 'hi'],
  ['absent', undefined, ''],
  ['null', null, ''],
  ['blocks', [{ type: 'text', text: 'a' }, 'b', { type: 'other' }, { type: 'text', text: '' }], 'ab'],
])('content that is %s is read as text', (_, content, expected) => {
  expect(
    read(content)
      .content.map((part) => part.text)
      .join(''),
  ).toBe(expected);
});

it.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
  [null, 'stop'],
])('the stop reason %s means %s', (reason, expected) => {
  expect(read('x', { stop_reason: reason }).finishReason).toBe(expected);
});

it.each([
  ['whole', usage, counts],
  [
    'with cache',
    { ...usage, cache_read_input_tokens: 100, cache_creation_input_tokens: 30 },
    { ...counts, inputTokens: 140, cacheReadTokens: 100, cacheWriteTokens: 30 },
  ],
  [
    'of the cache alone',
    { ...usage, input_tokens: 0, cache_read_input_tokens: 5 },
    { ...counts, inputTokens: 5, cacheReadTokens: 5 },
  ],
  ['with null for the cache', { ...usage, cache_read_input_tokens: null, cache_creation_input_tokens: null }, counts],
  ['with thinking', { ...usage, output_tokens_details: { thinking_tokens: 1 } }, { ...counts, reasoningTokens: 1 }],
  ['null', null, null],
  ['absent', undefined, null],
  ['of no input', { ...usage, input_tokens: 0 }, null],
  ['with half a count of the cache', { ...usage, cache_read_input_tokens: 1.5 }, null],
  ['half', { input_tokens: 10 }, null],
])('usage that is %s is read, or is no usage: never zero', (_, given, expected) => {
  expect(read('x', { usage: given }).usage).toEqual(expected);
});

it.each([
  ['an error object', { type: 'error', error: { type: 'api_error', message: 'x' } }],
  ['nothing', {}],
  ['a number as content', { type: 'message', content: 5 }],
  ['a text', '<html>'],
])('%s is no reply', (_, body) => {
  expect(() => messagesCodec.reply(body, 'asked')).toThrow('nvalid');
});

describe('a stream', () => {
  const start = { type: 'message_start', message: { id: 'm', model: 's', usage: { ...usage, output_tokens: 1 } } };
  const end = (more: object = { usage: { output_tokens: 7 } }) => ({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    ...more,
  });

  function heard(events: readonly object[]) {
    const stream = messagesCodec.openStream('asked');
    const deltas: Delta[] = events.flatMap((event) => stream.add(event));
    const written = deltas.map((delta) => (delta.kind === 'tool-call' ? delta.arguments : '')).join('');
    const text = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
    return { written, text, response: stream.response() };
  }

  it('has the usage that its end tells, and none where the end tells none: its beginning counts one token', () => {
    expect(heard([start, end()]).response?.usage).toEqual({ ...counts, outputTokens: 7 });
    expect(
      heard([start, end({ usage: { output_tokens: 7, input_tokens: 12, cache_read_input_tokens: null } })]).response
        ?.usage,
    ).toEqual({ ...counts, inputTokens: 12, outputTokens: 7 });
    for (const more of [{}, { usage: null }, { usage: {} }, { usage: { output_tokens: null } }])
      expect(heard([start, end(more)]).response?.usage).toBeNull();
  });

  it('may open a block with what it holds', () => {
    const text = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } };
    const use = {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'x', name: 'bash', input: { a: 1 } },
    };
    const { response, ...told } = heard([
      start,
      text,
      { type: 'content_block_stop', index: 0 },
      use,
      { type: 'content_block_stop', index: 1 },
      end(),
    ]);
    expect(told).toEqual({ written: '{"a":1}', text: 'hi' });
    expect(response).toMatchObject({
      content: [{ text: 'hi' }],
      toolCalls: [{ id: 'x', name: 'bash', arguments: '{"a":1}' }],
    });
  });

  it('keeps broken arguments as they were written', () => {
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'x', name: 'bash', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a' } },
      { type: 'content_block_stop', index: 0 },
    ];
    expect(heard([start, ...events, end()]).response?.toolCalls[0]?.arguments).toBe('{"a');
  });

  it('reads over pings and events that nobody knows, and stops at an error', () => {
    expect(heard([{ type: 'ping' }, start, { type: 'something_new' }, end()]).response).not.toBeNull();
    const failed = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(() => messagesCodec.openStream('asked').add(failed)).toThrow(ToldFailure);
  });
});
