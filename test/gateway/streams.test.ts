import { join } from 'node:path';
import OpenAI from 'openai';
import { Agent, Client, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Lease } from '../../src/schema/lease.ts';
import { ask, binding, leaseRequest, registration, startGateway } from '../support/gateway-fixture.ts';
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';

const CALL = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls -l"}' } };
let provider: ProviderServer;
let fixture: GatewayFixture;
let lease: Lease;
let dispatcher: Agent;

beforeAll(async () => {
  provider = await startProviderServer();
  fixture = await startGateway();
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 5000 })));
  lease = await fixture.control.openLease(leaseRequest('a'));
  dispatcher = new Agent({ connections: 1, connect: { socketPath: join(lease.socketDirectory, 'gateway.sock') } });
});
afterAll(async () => {
  await dispatcher.destroy();
  await fixture.close();
  await provider.close();
});

/** The provider's own SDK, pointed at the lease's socket. */
function sdk(call: number): OpenAI {
  return new OpenAI({
    apiKey: lease.token,
    baseURL: 'http://lease/v1',
    maxRetries: 0,
    defaultHeaders: { 'x-anneal-call': String(call) },
    fetch: (url, init) => undiciFetch(url as string, { ...(init as object), dispatcher }),
  });
}

it('a stream reaches the client piece by piece, the first before the provider has ended', async () => {
  provider.script({ kind: 'slow-stream', gapMs: 150 });
  const client = new Client('http://lease', { socketPath: join(lease.socketDirectory, 'gateway.sock') });
  const started = performance.now();
  const reply = await client.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { authorization: `Bearer ${lease.token}`, 'x-anneal-call': '1' },
    body: JSON.stringify(ask('slowly', { stream: true })),
  });
  const times: number[] = [];
  for await (const _ of reply.body) times.push(performance.now() - started);
  await client.destroy();
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(100);
  expect(provider.seen.at(-1)?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

it("the provider's own SDK reads a stream of text, tool call and usage through the gateway", async () => {
  provider.script({ kind: 'answer', text: 'Looking at the sheet.', toolCalls: [CALL] });
  const stream = await sdk(2).chat.completions.create({
    model: 'any',
    messages: [{ role: 'user', content: 'look' }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  let written = '';
  let name = '';
  let finish: string | null = null;
  let total = 0;
  for await (const chunk of stream) {
    const choice = chunk.choices[0];
    text += choice?.delta.content ?? '';
    const call = choice?.delta.tool_calls?.[0];
    name ||= call?.function?.name ?? '';
    written += call?.function?.arguments ?? '';
    finish = choice?.finish_reason ?? finish;
    total = chunk.usage?.total_tokens ?? total;
  }
  expect({ text, name, written, finish }).toEqual({
    text: 'Looking at the sheet.',
    name: 'bash',
    written: '{"command":"ls -l"}',
    finish: 'tool_calls',
  });
  expect(total).toBeGreaterThan(0);
});

it("the provider's own SDK reads a plain reply, a refusal and an error through the gateway", async () => {
  provider.script(
    { kind: 'answer', text: 'Done.', toolCalls: [CALL] },
    { kind: 'message', message: { content: null, refusal: 'No.' } },
    { kind: 'status', status: 400 },
  );
  const messages = [{ role: 'user' as const, content: 'look' }];
  const plain = await sdk(3).chat.completions.create({ model: 'any', messages });
  expect(plain.choices[0]?.message).toMatchObject({ content: 'Done.', refusal: null, tool_calls: [CALL] });
  const refused = await sdk(4).chat.completions.create({ model: 'any', messages });
  expect(refused.choices[0]).toMatchObject({ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' });
  await expect(sdk(5).chat.completions.create({ model: 'any', messages })).rejects.toMatchObject({
    status: 400,
    type: 'invalid_request',
  });
});

it('a streamed refusal comes as refusal, not as content', async () => {
  provider.script({ kind: 'message', message: { refusal: 'No.' } });
  const stream = await sdk(6).chat.completions.create({
    model: 'any',
    messages: [{ role: 'user', content: 'x' }],
    stream: true,
  });
  let content = '';
  let refusal = '';
  for await (const chunk of stream) {
    content += chunk.choices[0]?.delta.content ?? '';
    refusal += chunk.choices[0]?.delta.refusal ?? '';
  }
  expect({ content, refusal }).toEqual({ content: '', refusal: 'No.' });
});
