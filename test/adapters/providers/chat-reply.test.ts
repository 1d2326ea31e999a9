import { describe, expect, it } from 'vitest';
import { ChatReply, responseOf } from '../../../src/adapters/providers/chat-reply.ts';

function parse(message: unknown, more: Record<string, unknown> = {}, finish: unknown = 'stop') {
  return responseOf(
    ChatReply.parse({ id: 'r', model: 'm', choices: [{ message, finish_reason: finish }], ...more }),
    'asked',
  );
}

describe('content', () => {
  it.each([
    ['a text', 'hi', 'hi'],
    ['null', null, ''],
    ['absent', undefined, ''],
    ['empty', '', ''],
    [
      'text blocks',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'ab',
    ],
    ['mixed blocks', ['a', { type: 'image_url' }, { type: 'output_text', text: 'b' }], 'ab'],
  ])('that is %s is read as text', (_, content, expected) => {
    expect(
      parse({ role: 'assistant', content })
        .content.map((part) => part.text)
        .join(''),
    ).toBe(expected);
  });
});

describe('tool calls', () => {
  it.each([
    ['whole', { id: 'x', function: { name: 'bash', arguments: '{}' } }, { id: 'x', name: 'bash', arguments: '{}' }],
    ['without id', { function: { name: 'bash', arguments: '{}' } }, { id: 'call_0', name: 'bash', arguments: '{}' }],
    [
      'with an object for arguments',
      { id: 'x', function: { name: 'bash', arguments: { a: 1 } } },
      { id: 'x', name: 'bash', arguments: '{"a":1}' },
    ],
    [
      'with broken arguments',
      { id: 'x', function: { name: 'bash', arguments: '{"a' } },
      { id: 'x', name: 'bash', arguments: '{"a' },
    ],
    ['without function', { id: 'x' }, { id: 'x', name: '', arguments: '' }],
  ])('%s stay what the model wrote', (_, call, expected) => {
    expect(parse({ tool_calls: [call] })).toMatchObject({ toolCalls: [expected], finishReason: 'tool_calls' });
  });
});

describe('usage', () => {
  const counts = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  it.each([
    ['whole', { prompt_tokens: 10, completion_tokens: 2 }, counts],
    [
      'with details',
      {
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
      { ...counts, cacheReadTokens: 4, reasoningTokens: 1 },
    ],
    [
      'with odd details',
      { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: null } },
      counts,
    ],
    [
      'whose total counts reasoning that the completion leaves out',
      { prompt_tokens: 10, completion_tokens: 2, total_tokens: 52 },
      { ...counts, outputTokens: 42 },
    ],
    ['whose total is short', { prompt_tokens: 10, completion_tokens: 2, total_tokens: 3 }, counts],
    ['null', null, null],
    ['absent', undefined, null],
    ['of no prompt', { prompt_tokens: 0, completion_tokens: 2 }, null],
    ['negative', { prompt_tokens: 10, completion_tokens: -1 }, null],
    ['half', { prompt_tokens: 10 }, null],
    ['text', 'lots', null],
  ])('%s is read, or is no usage: never zero', (_, usage, expected) => {
    expect(parse({ content: 'x' }, { usage }).usage).toEqual(expected);
  });
});

describe('the finish reason', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['function_call', 'tool_calls'],
    [null, 'stop'],
    ['eos_token', 'stop'],
  ])('%s means %s', (given, expected) => {
    expect(parse({ content: 'x' }, {}, given).finishReason).toBe(expected);
  });

  it('is refusal where the message carries one', () => {
    expect(parse({ content: null, refusal: 'No.' })).toMatchObject({
      finishReason: 'refusal',
      content: [{ text: 'No.' }],
    });
  });
});

it.each([
  ['no choices', {}],
  ['an empty list of choices', { choices: [] }],
  ['an error object', { error: { message: 'x' } }],
  ['a text', '<html>'],
  ['a number as content', { choices: [{ message: { content: 5 } }] }],
])('%s is no reply', (_, body) => {
  expect(ChatReply.safeParse(body).success).toBe(false);
});

it('a server that does not say what it served is taken at its word for the model asked', () => {
  expect(responseOf(ChatReply.parse({ choices: [{ message: { content: 'x' } }] }), 'asked').servedModel).toBe('asked');
});
