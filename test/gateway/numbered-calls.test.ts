import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  EXPERIMENT,
  FrontClient,
  ask,
  binding,
  leaseRequest,
  registration,
  startGateway,
} from '../support/gateway-fixture.ts';
import type { FrontReply, GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';
import { ExperimentId } from '../../src/schema/ids.ts';

const id = ExperimentId.parse(EXPERIMENT);
let provider: ProviderServer;
let fixture: GatewayFixture;
const clients: FrontClient[] = [];

beforeEach(async () => {
  provider = await startProviderServer();
  fixture = await startGateway();
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 5000 })));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await fixture.close();
  await provider.close();
});

async function open(changes: Parameters<typeof leaseRequest>[1] = {}): Promise<FrontClient> {
  const client = new FrontClient(await fixture.control.openLease(leaseRequest('a', changes)));
  clients.push(client);
  return client;
}

function errorOf(reply: FrontReply): string {
  const { type, code } = (reply.body?.['error'] ?? {}) as { type?: string; code?: string };
  return `${reply.status} ${type} ${code}`;
}

it('the same number and request give the recorded bytes, streamed or not, and nothing is sent again', async () => {
  const client = await open();
  const first = await client.post(1, ask('hello'));
  const again = await client.post(1, ask('hello'));
  expect(again.text).toBe(first.text);
  const streamed = await client.post(1, ask('hello', { stream: true }));
  expect(streamed.text).toContain('All sheets are in order.');
  expect(streamed.text).toContain('data: [DONE]');
  expect(provider.seen).toHaveLength(1);
});

it('a stream is recorded as a whole and given again as a plain reply', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
  provider.script({ kind: 'answer', text: 'Looking.', toolCalls: [call] });
  const client = await open();
  const streamed = await client.post(1, ask('look', { stream: true, stream_options: { include_usage: true } }));
  expect(streamed.text).toContain('"finish_reason":"tool_calls"');
  expect(streamed.text).toContain('"prompt_tokens"');
  const plain = await client.post(1, ask('look'));
  expect(plain.body?.['choices']).toMatchObject([
    { message: { content: 'Looking.', tool_calls: [call] }, finish_reason: 'tool_calls' },
  ]);
  expect(provider.seen).toHaveLength(1);
});

it('the same number with another request is refused, as is a gap and a number that is none', async () => {
  const client = await open();
  await client.post(1, ask('hello'));
  expect(errorOf(await client.post(1, ask('other')))).toBe('409 call_conflict call_conflict');
  expect(errorOf(await client.post(3, ask('hello')))).toBe('409 call_conflict call_gap');
  expect(errorOf(await client.post(0, ask('hello')))).toBe('400 invalid_request call_number');
  expect(errorOf(await client.post(null, ask('hello')))).toBe('400 invalid_request call_number');
  expect(errorOf(await client.post(2, ask('hello'), { 'x-anneal-call': '2.5' }))).toBe(
    '400 invalid_request call_number',
  );
  expect(provider.seen).toHaveLength(1);
});

it('one call is under way at a time: another number is refused, the same one is joined', async () => {
  provider.script({ kind: 'answer', delayMs: 150 });
  const [one, two, three] = [await open(), await open(), await open()];
  const first = one.post(1, ask('slow'));
  await provider.arrived(1);
  expect(errorOf(await two.post(2, ask('next')))).toBe('409 call_conflict call_in_flight');
  expect(errorOf(await two.post(1, ask('other')))).toBe('409 call_conflict call_conflict');
  const [joined, streamed] = await Promise.all([
    two.post(1, ask('slow')),
    three.post(1, ask('slow', { stream: true })),
  ]);
  expect(joined.text).toBe((await first).text);
  expect(streamed.text).toContain('data: [DONE]');
  expect(provider.bill.calls).toBe(1);
});

it('a call whose client went away goes on to its end and is answered from the record', async () => {
  provider.script({ kind: 'answer', delayMs: 120, text: 'still here' });
  const gone = await open();
  const lost = gone.post(1, ask('slow')).catch(() => null);
  await provider.arrived(1);
  await gone.close();
  await lost;
  const back = await open();
  expect((await back.post(1, ask('slow'))).text).toContain('still here');
  expect(provider.seen).toHaveLength(1);
});

it('a fault of the request itself is recorded like an answer', async () => {
  provider.script({ kind: 'status', status: 400 });
  const client = await open();
  const first = await client.post(1, ask('bad'));
  expect(errorOf(first)).toBe('400 invalid_request invalid_request');
  expect((await client.post(1, ask('bad'))).text).toBe(first.text);
  expect(provider.seen).toHaveLength(1);
});

it('a new epoch is answered from the record while requests agree, and pays from its first difference on', async () => {
  const before = await open();
  for (const call of [1, 2, 3]) await before.post(call, ask(`step ${call}`));
  const after = await open({ epoch: 2 });
  const replayed = await after.post(1, ask('step 1'));
  expect(replayed.status).toBe(200);
  expect(errorOf(await before.post(4, ask('late')))).toBe('410 fenced fenced');
  expect((await after.post(2, ask('another way'))).status).toBe(200);
  expect((await after.post(3, ask('step 3'))).status).toBe(200);
  expect(provider.seen).toHaveLength(5);
  const usage = await fixture.control.leaseUsage({ attemptKey: leaseRequest('a').attemptKey, epoch: 2 });
  expect(usage).toMatchObject({ calls: 3, replayed: 1, retries: 0, divergedAtCall: 2 });
  const total = await fixture.control.usage({ experimentId: id });
  expect(total.roles[0]?.charged).toBe(provider.bill.tokens);
});

it('a call that a provider failed on every try is infrastructure while neighbours are served, and all that its next epoch asks again', async () => {
  const before = await open();
  const answer = await before.post(1, ask('step 1'));
  provider.script(...Array.from({ length: 6 }, () => ({ kind: 'status', status: 500 }) as const));
  expect(errorOf(await before.post(2, ask('step 2')))).toBe('503 provider_unavailable http_500');
  expect((await (await open({ attemptKey: 'b'.repeat(64) })).post(1, ask('a neighbour'))).status).toBe(200);
  const reference = { attemptKey: leaseRequest('a').attemptKey, epoch: 1 };
  const lost = await fixture.control.closeLease({ ...reference, lease: 1 });
  expect(lost).toMatchObject({ unserved: 'http_500', lastFault: { fault: 'infrastructure', code: 'http_500' } });
  const seen = provider.seen.length;
  const after = await open({ epoch: 2 });
  expect((await after.post(1, ask('step 1'))).text).toBe(answer.text);
  expect(provider.seen).toHaveLength(seen);
  expect((await after.post(2, ask('step 2'))).status).toBe(200);
  expect(provider.seen).toHaveLength(seen + 1);
});

it('a call that the lost epoch has under way is joined by the next epoch, not paid again', async () => {
  provider.script({ kind: 'answer', delayMs: 200, text: 'worth waiting for' });
  const before = await open();
  const lost = before.post(1, ask('slow')).catch(() => null);
  await provider.arrived(1);
  const after = await open({ epoch: 2 });
  expect((await after.post(1, ask('slow'))).text).toContain('worth waiting for');
  await lost;
  expect(provider.seen).toHaveLength(1);
  const usage = await fixture.control.leaseUsage({ attemptKey: leaseRequest('a').attemptKey, epoch: 2 });
  expect(usage).toMatchObject({ calls: 1, replayed: 1, tokensCharged: 0 });
});

it('waits for a provider are told to whoever asks, while they last and afterwards', async () => {
  provider.script({ kind: 'status', status: 429, headers: { 'retry-after-ms': '45' } });
  const client = await open();
  expect(await client.standing()).toEqual({ waitedMs: 0, calls: 0, tokensCharged: 0 });
  const under = client.post(1, ask('hello'));
  await provider.arrived(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  const asking = await open();
  const during = await asking.standing();
  expect(during['waitedMs']).toBeGreaterThan(5);
  await under;
  const after = await asking.standing();
  expect(after['waitedMs']).toBeGreaterThanOrEqual(40);
  expect(after).toMatchObject({ calls: 2, tokensCharged: provider.bill.tokens });
});

it('a lease closed with its call under way waits a little, then gives the call up: charged in full, nobody at fault', async () => {
  provider.script({ kind: 'stall' });
  const client = await open();
  const lost = client.post(1, ask('stalls')).catch(() => null);
  await provider.arrived(1);
  const usage = await fixture.control.closeLease({ attemptKey: leaseRequest('a').attemptKey, epoch: 1, lease: 1 });
  await lost;
  expect(usage).toMatchObject({ calls: 1, unknownRows: 1, lastFault: null, tokensReported: 0 });
  expect(usage.tokensCharged).toBeGreaterThan(1000);
});

it('the time that a silent provider took is a wait, and does not eat the attempt’s wall time', async () => {
  provider.script({ kind: 'stall' });
  const client = await open();
  await client.post(1, ask('hello'));
  expect((await client.standing())['waitedMs']).toBeGreaterThanOrEqual(390);
});
