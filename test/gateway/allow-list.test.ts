import { afterAll, beforeAll, expect, it } from 'vitest';
import { FrontClient, ask, binding, leaseRequest, registration, startGateway } from '../support/gateway-fixture.ts';
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';

const KEY = 'sk-very-secret-0123456789';
let provider: ProviderServer;
let fixture: GatewayFixture;
let client: FrontClient;
let call = 0;

beforeAll(async () => {
  provider = await startProviderServer();
  fixture = await startGateway({ environment: { OFFICE_KEY: KEY } });
  const model = binding(provider.baseUrl, {
    keyVariable: 'OFFICE_KEY',
    timeoutMs: 5000,
    sampling: { temperature: 0.2, topP: 0.9, reasoningEffort: 'low', maxOutputTokens: 700 },
  });
  await fixture.control.registerExperiment(registration(model));
  client = new FrontClient(await fixture.control.openLease(leaseRequest('a', { seed: 11 })));
});
afterAll(async () => {
  await client.close();
  await fixture.close();
  await provider.close();
});

async function sent(
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  call += 1;
  const reply = await client.post(call, body, headers);
  expect(reply.status).toBe(200);
  return provider.seen.at(-1)?.body ?? {};
}

it('whatever a client asks for, only the pinned model, sampling and seed, one choice and the messages go out', async () => {
  const body = await sent({
    ...ask('hello'),
    model: 'another-model',
    n: 8,
    temperature: 2,
    top_p: 1,
    seed: 99,
    max_tokens: 100_000,
    max_completion_tokens: 100_000,
    stop: ['x'],
    store: true,
    metadata: { task: 'office-mini/x1' },
    user: 'someone',
    logit_bias: { 50256: -100 },
    logprobs: true,
    service_tier: 'priority',
    previous_response_id: 'resp_1',
    background: true,
    web_search_options: {},
    prediction: { type: 'content', content: 'x' },
    tool_choice: 'required',
    modalities: ['audio'],
  });
  expect(body).toEqual({
    model: 'office-1',
    messages: [{ role: 'user', content: 'hello' }],
    n: 1,
    seed: 11,
    max_tokens: 700,
    temperature: 0.2,
    top_p: 0.9,
    reasoning_effort: 'low',
  });
});

it('the key goes to the provider alone; headers of the client go nowhere', async () => {
  await sent(ask('headers'), { 'x-custom': 'leak', 'openai-organization': 'org-other' });
  const headers = provider.seen.at(-1)?.headers ?? {};
  expect(headers.authorization).toBe(`Bearer ${KEY}`);
  expect(Object.keys(headers)).not.toContain('x-custom');
  expect(Object.keys(headers)).not.toContain('openai-organization');
  expect(Object.keys(headers)).not.toContain('x-anneal-call');
});

it('function tools are rebuilt from name, description and parameters; hosted ones are dropped', async () => {
  const parameters = { type: 'object', properties: { command: { type: 'string' } } };
  const body = await sent({
    ...ask('tools'),
    tools: [
      { type: 'function', function: { name: 'bash', description: 'run', parameters, strict: true }, cache_control: {} },
      { type: 'web_search_preview' },
      { type: 'mcp', server_url: 'http://evil' },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
  });
  expect(body['tools']).toEqual([{ type: 'function', function: { name: 'bash', description: 'run', parameters } }]);
});

it('every shape of content passes as text; images, files and audio are dropped', async () => {
  const toolCall = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
  const body = await sent({
    messages: [
      { role: 'developer', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one ', cache_control: {} },
          { type: 'image_url', image_url: { url: 'http://evil/x.png' } },
          'two',
        ],
      },
      { role: 'assistant', content: null, tool_calls: [toolCall], reasoning_content: 'hidden', extra: { cost: 1 } },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'a.xlsx' }], name: 'bash' },
      { role: 'assistant' },
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_id: 'f1' } },
          { type: 'input_audio', input_audio: {} },
        ],
      },
    ],
    response_format: { type: 'json_object' },
  });
  expect(body['messages']).toEqual([
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'one two' },
    { role: 'assistant', content: null, tool_calls: [toolCall] },
    { role: 'tool', tool_call_id: 'c1', content: 'a.xlsx' },
    { role: 'assistant', content: '' },
    { role: 'user', content: '' },
  ]);
  expect(body['response_format']).toEqual({ type: 'json_object' });
});

it.each([
  ['no messages', { model: 'm' }],
  ['an empty list of messages', { messages: [] }],
  ['an unknown role', { messages: [{ role: 'root', content: 'x' }] }],
  ['a tool message without its call', { messages: [{ role: 'tool', content: 'x' }] }],
  ['messages that are no list', { messages: 'x' }],
  ['no object', 'nothing'],
  ['no JSON', '{"messages": ['],
])('a body with %s is an invalid request of the client and spends nothing', async (_, body) => {
  const before = provider.seen.length;
  const reply = await client.post(call + 1, body);
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ error: { type: 'invalid_request', code: 'invalid_request' } });
  expect(provider.seen).toHaveLength(before);
});

it('a key that a provider repeats in an error reaches neither client nor row nor log', async () => {
  provider.script({ kind: 'status', status: 400, body: { error: { message: `bad request for ${KEY}`, code: 'x' } } });
  call += 1;
  const reply = await client.post(call, ask('echo'));
  expect(reply.text).toContain('[redacted]');
  const rows = JSON.stringify(await fixture.control.listCalls({ experimentId: leaseRequest('a').experimentId }));
  for (const text of [reply.text, rows, fixture.logLines.join('\n')]) expect(text).not.toContain(KEY);
});

it('a key variable that is not set is told when the experiment is registered', async () => {
  const model = binding(provider.baseUrl, { keyVariable: 'MISSING_KEY' });
  const other = registration(model, { experimentId: 'exp_0000000b' });
  await expect(fixture.control.registerExperiment(other)).rejects.toMatchObject({
    code: 'ANL-5005',
    message: expect.stringContaining('MISSING_KEY'),
  });
});

it('wrong, missing and foreign tokens are refused', async () => {
  const mine = await fixture.control.openLease(leaseRequest('b'));
  const foreign = await fixture.control.openLease(leaseRequest('c'));
  for (const token of ['', 'wrong', foreign.token]) {
    const other = new FrontClient({ socketDirectory: mine.socketDirectory, token });
    expect(await other.post(1, ask('x'))).toMatchObject({ status: 401, body: { error: { code: 'bad_token' } } });
    await other.close();
  }
  const nowhere = await client.post(1, ask('x'), {});
  expect(nowhere.status).not.toBe(404);
});
