import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExperimentId } from '../../src/schema/ids.ts';
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

const id = ExperimentId.parse(EXPERIMENT);
let provider: ProviderServer;
let fixture: GatewayFixture;
const clients: FrontClient[] = [];

beforeEach(async () => {
  provider = await startProviderServer();
  fixture = await startGateway();
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

function typeOf(reply: FrontReply): string {
  return (reply.body?.['error'] as { type?: string } | undefined)?.type ?? 'answered';
}

const limitHit = async (): Promise<unknown> =>
  (await fixture.control.leaseUsage({ attemptKey: leaseRequest('a').attemptKey, epoch: 1 })).limitHit;

it('the call limit counts request attempts: retries of the gateway use it up too', async () => {
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl)));
  const client = await open({ limits: { calls: 3, tokens: 100_000 } });
  provider.script({ kind: 'status', status: 429 });
  expect(typeOf(await client.post(1, ask('a')))).toBe('answered');
  expect(typeOf(await client.post(2, ask('b')))).toBe('answered');
  expect(typeOf(await client.post(3, ask('c')))).toBe('call_limit');
  expect(provider.seen).toHaveLength(3);
  expect(await limitHit()).toBe('calls');
});

it('a limit that is reached between two retries ends the call', async () => {
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl)));
  const client = await open({ limits: { calls: 2, tokens: 100_000 } });
  provider.script({ kind: 'status', status: 500 }, { kind: 'status', status: 500 });
  expect(typeOf(await client.post(1, ask('a')))).toBe('call_limit');
  expect(provider.seen).toHaveLength(2);
});

it('the output cap shrinks to what the attempt has left, then the token limit refuses', async () => {
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl)));
  const client = await open({ limits: { calls: 80, tokens: 600 } });
  await client.post(1, ask('short'));
  expect(provider.seen[0]?.body['max_tokens']).toBeLessThan(600);
  expect(provider.seen[0]?.body['max_tokens']).toBeGreaterThanOrEqual(256);
  expect(typeOf(await client.post(2, ask('word '.repeat(400))))).toBe('token_limit');
  expect(provider.seen).toHaveLength(1);
  expect(await limitHit()).toBe('tokens');
});

it('a lowered output cap does not change which request it is: the same number is still answered from the record', async () => {
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl)));
  const client = await open({ limits: { calls: 80, tokens: 600 } });
  const first = await client.post(1, ask('short'));
  expect((await client.post(1, ask('short'))).text).toBe(first.text);
  expect(provider.seen).toHaveLength(1);
});

it('the budget of a role refuses every attempt of the arm, and a grant opens it again', async () => {
  await fixture.control.registerExperiment(
    registration(binding(provider.baseUrl), { budgets: { solver: 1100, updater: null, judge: null } }),
  );
  const client = await open();
  expect(typeOf(await client.post(1, ask('a')))).toBe('answered');
  expect(typeOf(await client.post(2, ask('b', { messages: [{ role: 'user', content: 'word '.repeat(100) }] })))).toBe(
    'budget_refused',
  );
  expect(await limitHit()).toBe('budget');
  await fixture.control.grant({
    experimentId: id,
    arm: leaseRequest('a').arm,
    kind: 'solver',
    delta: 100_000,
    requestId: 'more',
  });
  expect(typeOf(await client.post(2, ask('b', { messages: [{ role: 'user', content: 'word '.repeat(100) }] })))).toBe(
    'answered',
  );
  expect(await limitHit()).toBeNull();
});

it('arms and roles have budgets of their own', async () => {
  await fixture.control.registerExperiment(
    registration(binding(provider.baseUrl), { budgets: { solver: 0, updater: 5000, judge: null } }),
  );
  const solver = await open();
  expect(typeOf(await solver.post(1, ask('a')))).toBe('budget_refused');
  const updater = new FrontClient(await fixture.control.openLease(leaseRequest('b', { role: 'updater' })));
  clients.push(updater);
  expect(typeOf(await updater.post(1, ask('a')))).toBe('answered');
  const usage = await fixture.control.usage({ experimentId: id });
  expect(usage.roles).toEqual([
    expect.objectContaining({
      arm: 'ace',
      role: 'updater',
      charged: provider.bill.tokens,
      left: 5000 - provider.bill.tokens,
    }),
  ]);
});

it.each([
  ['exact', 'office-1', 'answered'],
  ['exact', 'office-1-2026', 'provider_unavailable'],
  ['prefix', 'office-1-2026', 'answered'],
  ['prefix', 'office-2', 'provider_unavailable'],
  ['record', 'office-2', 'answered'],
] as const)('with served model %s a reply by %s is %s', async (servedModel, model, expected) => {
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl, { servedModel })));
  provider.script({ kind: 'served', model });
  const client = await open();
  expect(typeOf(await client.post(1, ask('a')))).toBe(expected);
  const usage = await fixture.control.usage({ experimentId: id });
  expect(usage.servedModels).toMatchObject([{ role: 'solver', served: model, rows: 1 }]);
  expect(usage.roles[0]?.charged).toBe(provider.bill.tokens);
  expect(usage.halted).toHaveLength(expected === 'answered' ? 0 : 1);
});

it('a changed model stops the role until the experiment is resumed; nothing more is sent', async () => {
  const pinned = registration(binding(provider.baseUrl, { servedModel: 'exact' }));
  await fixture.control.registerExperiment(pinned);
  provider.script({ kind: 'served', model: 'office-2' });
  const client = await open();
  await client.post(1, ask('a'));
  expect(typeOf(await client.post(1, ask('a')))).toBe('provider_unavailable');
  expect(provider.seen).toHaveLength(1);
  const { halted } = await fixture.control.usage({ experimentId: id });
  expect(halted).toMatchObject([
    { kind: 'served_model_changed', reason: `${provider.baseUrl} serves office-2, not office-1`, until: null },
  ]);
  expect((await fixture.control.leaseUsage({ attemptKey: leaseRequest('a').attemptKey, epoch: 1 })).lastFault).toEqual({
    fault: 'infrastructure',
    code: 'served_model_changed',
  });
  await fixture.control.registerExperiment(pinned);
  expect(typeOf(await client.post(1, ask('a')))).toBe('answered');
});
