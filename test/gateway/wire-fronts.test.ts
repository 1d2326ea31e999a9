import { join } from 'node:path';
import { Client } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExperimentId } from '../../src/schema/ids.ts';
import type { Wire } from '../../src/schema/model-call.ts';
import {
  FRONT_PATHS,
  FrontClient,
  askOn,
  binding,
  leaseRequest,
  registration,
  speaking,
  startGateway,
} from '../support/gateway-fixture.ts';
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';
import { sealOf } from '../support/provider-wires/server-wire.ts';
import { SdkClients } from '../support/sdk-clients.ts';

const WIRES: readonly Wire[] = ['chat', 'responses', 'messages'];
const sampling = { temperature: 0.2, topP: 0.9, reasoningEffort: 'low', maxOutputTokens: 700 } as const;
const calls = [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }];
let provider: ProviderServer;
let fixture: GatewayFixture;
let leases = 0;
let client: FrontClient;

beforeAll(async () => {
  provider = await startProviderServer({ strict: true });
  fixture = await startGateway();
  for (const [index, wire] of WIRES.entries()) {
    const model = binding(provider.baseUrl, { ...speaking(wire), timeoutMs: 5000, sampling });
    await fixture.control.registerExperiment(registration(model, { experimentId: experimentOf(index) }));
  }
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});

function experimentOf(index: number): string {
  return `exp_0000000${index}`;
}

/** A lease of the experiment whose provider speaks `back`. */
function lease(back: Wire) {
  leases += 1;
  const experimentId = experimentOf(WIRES.indexOf(back));
  return fixture.control.openLease(leaseRequest(`${leases.toString(16)}d`, { experimentId }));
}

describe.each(WIRES)('by %s', (wire) => {
  let open: Awaited<ReturnType<typeof lease>>;

  beforeEach(async () => {
    open = await lease(wire);
    client = new FrontClient(open);
    return () => client.close();
  });

  const post = (call: number, more: Record<string, unknown> = {}, on: Wire = wire) =>
    client.post(call, askOn(on, 'Sum the sheet.', more), {}, FRONT_PATHS[on]);

  it('a repeated call gets the recorded bytes, streamed or not, and nothing is sent again', async () => {
    provider.script({ kind: 'answer', text: 'I look.', toolCalls: calls, thought: 'Hm.' });
    const before = provider.seen.length;
    const streamed = await post(1, { stream: true });
    const plain = await post(1);
    expect((await post(1)).text).toBe(plain.text);
    expect((await post(1, { stream: true })).text).toContain('I look.');
    expect(streamed.text).toMatch(/I l.*ook\..*bash/s);
    expect(plain.text).toMatch(/I look\..*bash/s);
    expect(provider.seen).toHaveLength(before + 1);
  });

  it.each(WIRES)('a call that is asked again on %s is the same call', async (other) => {
    const before = provider.seen.length;
    await post(1);
    expect((await post(1, {}, other)).text).toContain('All sheets are in order.');
    expect(provider.seen).toHaveLength(before + 1);
  });

  it('another request under the same number is refused in the form of the wire', async () => {
    await post(1);
    const refused = await client.post(1, askOn(wire, 'Something else.'), {}, FRONT_PATHS[wire]);
    expect(refused).toMatchObject({ status: 409, body: { error: { type: 'call_conflict', code: 'call_conflict' } } });
    expect(refused.body?.['type']).toBe(wire === 'messages' ? 'error' : undefined);
  });

  it('a wrong key is refused, the right one is taken from either header', async () => {
    const wrong = new FrontClient({ socketDirectory: open.socketDirectory, token: 'wrong' });
    expect(await wrong.post(1, askOn(wire, 'x'), {}, FRONT_PATHS[wire])).toMatchObject({ status: 401 });
    const keyed = new Client('http://lease', { socketPath: join(open.socketDirectory, 'gateway.sock') });
    const headers = { 'x-api-key': open.token, 'x-anneal-call': '1' };
    const body = JSON.stringify(askOn(wire, 'x'));
    expect(await keyed.request({ path: FRONT_PATHS[wire], method: 'POST', headers, body })).toMatchObject({
      statusCode: 200,
    });
    await keyed.destroy();
    await wrong.close();
  });

  it.each([true, false])(
    'what the model thought goes back to a provider of the same wire as it came, streamed: %s',
    async (stream) => {
      const clients = new SdkClients(open);
      provider.script({ kind: 'answer', text: 'I look.', toolCalls: calls, thought: 'The sheet is long.' });
      const first = {
        chat: { messages: [{ role: 'user', content: 'x' }] },
        responses: { input: [{ role: 'user', content: 'x' }] },
        messages: { max_tokens: 9, messages: [{ role: 'user', content: 'x' }] },
      }[wire];
      const heard = await clients.ask(wire, 1, { model: 'any', ...first }, stream);
      const [list, said] = Object.entries(first).find(([, value]) => Array.isArray(value)) as [string, unknown[]];
      const result = {
        chat: { role: 'tool', tool_call_id: 'c1', content: 'a' },
        responses: { type: 'function_call_output', call_id: 'c1', output: 'a' },
        messages: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a' }] },
      }[wire];
      await clients.ask(wire, 2, { model: 'any', ...first, [list]: [...said, ...heard.said, result] }, stream);
      await clients.close();
      const back = JSON.stringify(provider.seen.at(-1)?.body);
      expect(back.includes(sealOf('The sheet is long.'))).toBe(wire !== 'chat');
      expect(provider.flaws).toEqual([]);
    },
  );
});

it('marks of what to cache come through: the first call writes, the next one reads and writes on, each told apart', async () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const opened = await lease('messages');
  const over = new FrontClient(opened);
  const first = { role: 'user', content: [{ type: 'text', text: 'A long sheet. '.repeat(50), ...mark }] };
  const answer = { role: 'assistant', content: 'All sheets are in order.' };
  const next = { role: 'user', content: [{ type: 'text', text: 'And the next one?', ...mark }] };
  const ask = (call: number, messages: unknown[]) =>
    over.post(call, { max_tokens: 9, messages }, {}, FRONT_PATHS.messages);
  const one = await ask(1, [first]);
  const two = await ask(2, [first, answer, next]);
  await over.close();
  const { calls: rows } = await fixture.control.listCalls({
    experimentId: ExperimentId.parse(experimentOf(2)),
    limit: 1000,
  });
  const [written, read] = rows.filter((row) => row.attemptKey === opened.attemptKey);
  expect(written?.cacheRead).toBe(0);
  expect(written?.cacheWrite).toBeGreaterThan(50);
  expect(read?.cacheRead).toBeGreaterThan(50);
  expect(read?.cacheWrite).toBeGreaterThan(0);
  for (const [row, reply] of [
    [written, one],
    [read, two],
  ] as const) {
    const usage = reply.body?.['usage'] as Record<string, number>;
    expect(usage).toMatchObject({
      cache_read_input_tokens: row?.cacheRead,
      cache_creation_input_tokens: row?.cacheWrite,
      input_tokens: (row?.reportedInput ?? 0) - (row?.cacheRead ?? 0) - (row?.cacheWrite ?? 0),
    });
  }
});

it('marks of what to cache are dropped before a provider whose wire has none', async () => {
  const over = new FrontClient(await lease('chat'));
  const content = [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }];
  await over.post(1, { max_tokens: 9, messages: [{ role: 'user', content }] }, {}, FRONT_PATHS.messages);
  await over.close();
  expect(JSON.stringify(provider.seen.at(-1)?.body)).not.toContain('cache');
});
