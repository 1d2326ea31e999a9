import { describe, expect, it } from 'vitest';
import { responsesCodec } from '../../../src/adapters/providers/responses-codec.ts';
import { ToldFailure } from '../../../src/adapters/providers/wire-codec.ts';
import type { Delta } from '../../../src/contract/provider-port.ts';

const usage = { input_tokens: 10, output_tokens: 2 };
const counts = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

function read(output: unknown, more: Record<string, unknown> = {}) {
  return responsesCodec.reply({ id: 'r', model: 'm', status: 'completed', output, usage, ...more }, 'asked');
}

describe('an item of the output', () => {
  it.each([
    [
      'whole',
      { type: 'function_call', call_id: 'x', name: 'bash', arguments: '{}' },
      { id: 'x', name: 'bash', arguments: '{}' },
    ],
    [
      'without call id',
      { type: 'function_call', id: 'fc', name: 'bash', arguments: '{}' },
      { id: 'fc', name: 'bash', arguments: '{}' },
    ],
    ['without any id', { type: 'function_call', name: 'bash' }, { id: 'call_0', name: 'bash', arguments: '' }],
    [
      'with an object for arguments',
      { type: 'function_call', call_id: 'x', name: 'b', arguments: { a: 1 } },
      { id: 'x', name: 'b', arguments: '{"a":1}' },
    ],
  ])('that is a call, %s, stays what the model wrote', (_, item, expected) => {
    expect(read([item])).toMatchObject({ toolCalls: [expected], finishReason: 'tool_calls' });
  });

  it.each([
    ['a text', 'hi', 'hi'],
    ['absent', undefined, ''],
    ['null', null, ''],
    ['parts', [{ type: 'output_text', text: 'a' }, 'b', { type: 'other' }], 'ab'],
  ])('that is a message whose content is %s is read as text', (_, content, expected) => {
    const { content: parts } = read([{ type: 'message', role: 'assistant', content }]);
    expect(parts.map((part) => part.text).join('')).toBe(expected);
  });

  it('of reasoning is kept where a provider that kept nothing could read it again', () => {
    const kept = {
      type: 'reasoning',
      id: 'rs',
      summary: [{ type: 'summary_text', text: 's' }],
      encrypted_content: 'e',
    };
    expect(read([kept, { type: 'reasoning', id: 'rs2', summary: [] }]).reasoning).toEqual([
      { kind: 'item', id: 'rs', summary: ['s'], encrypted: 'e' },
    ]);
  });

  it('of an unknown type is left out', () => {
    expect(read([{ type: 'web_search_call', id: 'ws' }])).toMatchObject({ content: [], toolCalls: [] });
  });
});

it.each([
  [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
  [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'content_filter'],
  [{ status: 'incomplete' }, 'length'],
  [{ status: 'completed' }, 'stop'],
  [{ status: null }, 'stop'],
])('a response of %o ended by %s', (more, expected) => {
  expect(read([{ type: 'message', content: 'x' }], more).finishReason).toBe(expected);
});

it.each([
  ['whole', usage, counts],
  [
    'with details',
    {
      ...usage,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
      output_tokens_details: { reasoning_tokens: 1 },
    },
    { ...counts, cacheReadTokens: 4, cacheWriteTokens: 3, reasoningTokens: 1 },
  ],
  [
    'with odd details',
    { ...usage, input_tokens_details: 'x', output_tokens_details: { reasoning_tokens: -1 } },
    counts,
  ],
  ['null', null, null],
  ['absent', undefined, null],
  ['of no prompt', { ...usage, input_tokens: 0 }, null],
  ['half', { input_tokens: 10 }, null],
])('usage that is %s is read, or is no usage: never zero', (_, given, expected) => {
  expect(read([], { usage: given }).usage).toEqual(expected);
});

it.each([
  ['no output', {}],
  ['an output that is no list', { output: 'x' }],
  ['a status that is no end', { output: [], status: 'queued' }],
  ['an error object', { error: { message: 'x' } }],
  ['a text', '<html>'],
])('%s is no reply', (_, body) => {
  expect(() => responsesCodec.reply(body, 'asked')).toThrow('nvalid');
});

it('a response that failed is a failure with its code, whole or streamed', () => {
  const error = { code: 'server_error', message: 'down' };
  const failed = { id: 'r', status: 'failed', output: [], error };
  expect(() => responsesCodec.reply(failed, 'asked')).toThrow(ToldFailure);
  const stream = responsesCodec.openStream('asked');
  expect(() => stream.add({ type: 'response.failed', response: failed })).toThrow(
    expect.objectContaining({ code: 'server_error', message: 'down' }),
  );
  expect(() => stream.add({ type: 'error', code: 'rate_limit_exceeded', message: 'slow' })).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded' }),
  );
});

describe('a stream', () => {
  const item = { type: 'function_call', id: 'fc', call_id: 'c', name: 'bash', arguments: '' };
  const done = { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: '{"a":1}' } };
  const closing = (output: unknown[]) => ({
    type: 'response.completed',
    response: { id: 'r', status: 'completed', output, usage },
  });

  function heard(events: readonly object[]) {
    const stream = responsesCodec.openStream('asked');
    const deltas: Delta[] = events.flatMap((event) => stream.add(event));
    const written = deltas.map((delta) => (delta.kind === 'tool-call' ? delta.arguments : '')).join('');
    const text = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
    return { written, text, response: stream.response() };
  }

  it.each([
    [
      'in pieces',
      [
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a"' },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: ':1}' },
      ],
    ],
    [
      'in pieces, of which the last ones are missing',
      [
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a"' },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: ':' },
      ],
    ],
    ['at the end alone', []],
  ])('whose arguments come %s tells them all once', (_, pieces) => {
    const opened = { type: 'response.output_item.added', output_index: 0, item };
    const { written, response } = heard([opened, ...pieces, done, closing([done.item])]);
    expect(written).toBe('{"a":1}');
    expect(response?.toolCalls).toEqual([{ id: 'c', name: 'bash', arguments: '{"a":1}' }]);
  });

  it('that never opened a call tells it at its end', () => {
    expect(heard([done, closing([done.item])]).written).toBe('{"a":1}');
  });

  it('whose closing event has no output stands by what was told before', () => {
    expect(heard([done, closing([])]).response?.toolCalls).toHaveLength(1);
    const spoken = { type: 'response.output_text.delta', output_index: 0, delta: 'hi' };
    expect(heard([spoken, closing([])]).response?.content).toEqual([{ type: 'text', text: 'hi' }]);
  });

  it('with events that nobody knows reads on', () => {
    expect(heard([{ type: 'response.audio.delta', delta: 'x' }, closing([])]).response).not.toBeNull();
    expect(() => responsesCodec.openStream('asked').add('x')).toThrow('expected object');
  });
});
