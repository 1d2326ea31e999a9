import { expect, it } from 'vitest';
import { chatRequest } from '../../../src/adapters/providers/chat-request.ts';
import { binding } from '../../support/gateway-fixture.ts';
import { helloRequest } from '../../support/hello-request.ts';

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
  } = chatRequest(helloRequest, binding(baseUrl, changes), false);
  expect(rest).toEqual(expected);
});

it('a stream asks for usage in its last chunk', () => {
  expect(chatRequest(helloRequest, binding('http://127.0.0.1:1/v1'), true)).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
});

it('sampling that the experiment leaves open is not sent', () => {
  const body = chatRequest(helloRequest, binding('http://127.0.0.1:1/v1'), false);
  expect(Object.keys(body).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'n', 'seed']);
});
