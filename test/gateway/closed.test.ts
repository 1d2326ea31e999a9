import { afterEach, beforeEach, expect, it } from 'vitest';
import { closedKey } from '../../src/domain/is-closed.ts';
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
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';

const id = ExperimentId.parse(EXPERIMENT);
let provider: ProviderServer;
let fixture: GatewayFixture;
let client: FrontClient;

beforeEach(async () => {
  provider = await startProviderServer();
  fixture = await startGateway({ policy: { backOffMs: 1_000, backOffCapMs: 1_000 } });
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl)));
  client = new FrontClient(await fixture.control.openLease(leaseRequest('a')));
});
afterEach(async () => {
  await client.close();
  await fixture.close();
  await provider.close();
});

const close = () => fixture.control.appendRecord({ experimentId: id, ...closedKey, body: {} });
const spent = async (): Promise<unknown> => (await fixture.control.usage({ experimentId: id })).roles;

it('nothing is sent for an experiment that is closed, and whoever asks is told so', async () => {
  const answer = await client.post(1, ask('a'));
  const before = await spent();
  await close();
  const refused = await client.post(2, ask('b'));
  expect(refused).toMatchObject({ status: 410, body: { error: { type: 'fenced', code: 'experiment_closed' } } });
  expect((await client.post(1, ask('a'))).text).toBe(answer.text);
  expect(provider.seen).toHaveLength(1);
  expect(await spent()).toEqual(before);
});

it('a retry of a call that was under way when its experiment was closed is not sent either', async () => {
  provider.script({ kind: 'status', status: 429 });
  const call = client.post(1, ask('a'));
  await expect.poll(() => provider.seen.length, { timeout: 10_000 }).toBe(1);
  await close();
  expect((await call).body).toMatchObject({ error: { code: 'experiment_closed' } });
  expect(provider.seen).toHaveLength(1);
});

it('a worker that wakes after the close gets no lease; it may close the one it had', async () => {
  await close();
  const refused = { code: 'ANL-6010', fields: { experiment: EXPERIMENT } };
  await expect(fixture.control.openLease(leaseRequest('a'))).rejects.toMatchObject(refused);
  await expect(fixture.control.openLease(leaseRequest('a', { epoch: 2 }))).rejects.toMatchObject(refused);
  await expect(fixture.control.openLease(leaseRequest('b', { role: 'updater' }))).rejects.toMatchObject(refused);
  await fixture.control.closeLease({ attemptKey: leaseRequest('a').attemptKey, epoch: 1, lease: 1 });
  expect((await fixture.control.health({})).openLeases).toBe(0);
});
