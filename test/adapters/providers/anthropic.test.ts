import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAnthropicProvider } from '../../../src/adapters/providers/anthropic.ts';
import { createOpenAiProvider } from '../../../src/adapters/providers/openai.ts';
import type { ModelRequest } from '../../../src/schema/model-call.ts';
import { binding, speaking } from '../../support/gateway-fixture.ts';
import { helloRequest } from '../../support/hello-request.ts';
import { startProviderServer } from '../../support/provider-server.ts';
import type { ProviderServer } from '../../support/provider-server.ts';

const request: ModelRequest = { ...helloRequest, responseFormat: 'json' };
const options = { stream: false, signal: new AbortController().signal, attempt: 0 };
let server: ProviderServer;

beforeAll(async () => {
  server = await startProviderServer({ strict: true });
});
afterAll(async () => server.close());

const anthropic = (changes = {}, key: string | null = null) =>
  createAnthropicProvider({
    binding: binding(server.baseUrl, { ...speaking('messages'), timeoutMs: 3000, ...changes }),
    key,
    redact: (text) => text,
  });

it.each(['', '/', '/v1', '/v1/'])('the root of the API may end in "%s"', async (ending) => {
  const baseUrl = server.baseUrl.replace(/\/v1$/, ending);
  expect(await anthropic({ baseUrl }).call(request, options)).toMatchObject({ kind: 'answered' });
  expect(server.seen.at(-1)?.path).toBe('/v1/messages');
});

it('the cap of the output is always sent, a version of the API too, a seed never', async () => {
  await anthropic().call(request, options);
  expect(server.seen.at(-1)?.body).toEqual({
    model: 'office-1',
    max_tokens: 50,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  });
  expect(server.seen.at(-1)?.headers['anthropic-version']).toMatch(/^\d{4}-\d\d-\d\d$/);
});

it('without a key none is sent, with one it is, whatever the environment holds', async () => {
  process.env['ANTHROPIC_API_KEY'] = 'k-of-someone-else';
  try {
    await anthropic().call(request, options);
    await anthropic({}, 'k-123456').call(request, options);
  } finally {
    delete process.env['ANTHROPIC_API_KEY'];
  }
  const keys = server.seen.slice(-2).map(({ headers }) => headers['x-api-key'] ?? headers.authorization);
  expect(keys).toEqual([undefined, 'Bearer k-123456']);
});

it.each(['minimal', 'low', 'medium', 'high'] as const)('an effort of %s asks for adaptive thinking', async (effort) => {
  await anthropic({ sampling: { maxOutputTokens: 50 } }).call(
    { ...request, sampling: { maxOutputTokens: 50, reasoningEffort: effort } },
    options,
  );
  expect(server.seen.at(-1)?.body).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: effort === 'minimal' ? 'low' : effort },
  });
});

it.each([
  [
    529,
    'overloaded_error',
    'Overloaded',
    { kind: 'rejected', fault: 'infrastructure', code: 'http_529', retryable: true },
  ],
  [
    429,
    'rate_limit_error',
    'slow down',
    { kind: 'rejected', code: 'rate_limited', retryable: true, retryAfterMs: 7000 },
  ],
  [
    400,
    'invalid_request_error',
    'prompt is too long: 2 tokens > 1 maximum',
    { kind: 'rejected', fault: 'agent', code: 'context_overflow' },
  ],
  [400, 'invalid_request_error', 'messages: bad', { kind: 'rejected', fault: 'agent', code: 'invalid_request' }],
  [413, 'request_too_large', 'too large', { kind: 'rejected', fault: 'agent', code: 'context_overflow' }],
] as const)('a %i %s, "%s", is read as the wire means it', async (status, type, message, expected) => {
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '7' } : {};
  server.script({
    kind: 'status',
    status,
    headers,
    body: { type: 'error', error: { type, message }, request_id: 'r' },
  });
  expect(await anthropic().call(request, options)).toMatchObject(expected);
});

it('an error event after the first piece is a lost request that may be tried again', async () => {
  server.script({ kind: 'error-stream' });
  expect(await anthropic().call(request, { ...options, stream: true })).toMatchObject({
    kind: 'unknown',
    code: 'error_in_stream',
    detail: expect.stringContaining('overloaded'),
    retryable: true,
  });
});

it('pings are signs of life: a stream of nothing else does not run into the time-out', async () => {
  server.script({ kind: 'slow-stream', gapMs: 250 });
  expect(await anthropic({ timeoutMs: 450 }).call(request, { ...options, stream: true })).toMatchObject({
    kind: 'answered',
  });
});

it('a Responses server that tells an overflow within a reply of status 200 has refused, for free', async () => {
  const provider = createOpenAiProvider({
    binding: binding(server.baseUrl, { ...speaking('responses'), timeoutMs: 3000 }),
    key: null,
    redact: (text) => text,
  });
  const failed = (code: string) => ({
    id: 'r',
    object: 'response',
    status: 'failed',
    output: [],
    error: { code, message: 'no' },
  });
  server.script({ kind: 'status', status: 200, body: failed('context_length_exceeded') });
  expect(await provider.call(request, options)).toMatchObject({
    kind: 'rejected',
    fault: 'agent',
    code: 'context_overflow',
  });
  server.script({ kind: 'status', status: 200, body: failed('server_error') });
  expect(await provider.call(request, options)).toMatchObject({
    kind: 'unknown',
    code: 'error_in_stream',
    detail: 'server_error: no',
  });
});
