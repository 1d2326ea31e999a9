import { expect, it } from 'vitest';
import { chatRequest } from '../../../src/adapters/providers/chat-request.ts';
import type { ModelRequest } from '../../../src/schema/model-call.ts';
import { binding } from '../../support/gateway-fixture.ts';

const request: ModelRequest = {
  model: 'office-1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [],
  sampling: { maxOutputTokens: 50 },
  seed: 3,
  responseFormat: 'text',
};

it.each([
  ['http://127.0.0.1:1/v1', {}, { max_tokens: 50 }],
  ['https://api.openai.com/v1', {}, { max_completion_tokens: 50, store: false }],
  ['https://openai.com.example.org/v1', {}, { max_tokens: 50 }],
  ['http://127.0.0.1:1/v1', { outputCapField: 'max_completion_tokens' }, { max_completion_tokens: 50 }],
] as const)('at %s with %o the output cap and storing are sent as %o', (baseUrl, changes, expected) => {
  const {
    model: _model,
    messages: _messages,
    n: _n,
    seed: _seed,
    ...rest
  } = chatRequest(request, binding(baseUrl, changes), false);
  expect(rest).toEqual(expected);
});

it('a stream asks for usage in its last chunk', () => {
  expect(chatRequest(request, binding('http://127.0.0.1:1/v1'), true)).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
});

it('sampling that the experiment leaves open is not sent', () => {
  const body = chatRequest(request, binding('http://127.0.0.1:1/v1'), false);
  expect(Object.keys(body).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'n', 'seed']);
});
