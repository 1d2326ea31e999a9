import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelPrice } from '../../src/schema/prices.ts';
import {
  FrontClient,
  type GatewayFixture,
  ask,
  binding,
  leaseRequest,
  registration,
  startGateway,
} from '../support/gateway-fixture.ts';
import { type ProviderServer, startProviderServer } from '../support/provider-server.ts';

const dollar = 1_000_000;
const rates = { input: dollar, output: dollar, cacheRead: dollar, cacheWrite: dollar };
const price: ModelPrice = { kind: 'rates', rates, longPrompt: null, asOf: '2026-11-01', source: 'a price list' };

let server: ProviderServer;
let gateway: GatewayFixture;

beforeEach(async () => {
  server = await startProviderServer();
  gateway = await startGateway({ policy: { turnMs: 10 } });
});

afterEach(async () => {
  await gateway.close();
  await server.close();
});

/** Clients of two leases of an experiment whose money is capped; a request reserves some 1,030 millionths of a dollar. */
async function clients(microUsd: number): Promise<readonly [FrontClient, FrontClient]> {
  const caps = { solverTokens: null, microUsd };
  const model = binding(server.baseUrl, { timeoutMs: 5000 });
  await gateway.control.registerExperiment(registration(model, { caps, prices: { solver: price } }));
  const [one, other] = await Promise.all(['a', 'b'].map((key) => gateway.control.openLease(leaseRequest(key))));
  if (one === undefined || other === undefined) throw new Error('two leases are needed');
  return [new FrontClient(one), new FrontClient(other)];
}

describe('a cap on money', () => {
  test('lets a call wait for what a neighbour has in flight, and sends it once that is settled', async () => {
    const [one, other] = await clients(1500);
    server.script({ kind: 'answer', delayMs: 300 });
    const first = one.post(1, ask('hello'));
    await server.arrived(1);
    const second = other.post(1, ask('hello'));
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
    expect(await other.standing()).toMatchObject({ calls: 1, waitedMs: expect.toSatisfy((ms: number) => ms > 0) });
    await Promise.all([one.close(), other.close()]);
  });

  test('refuses a call for good where nothing that may come back stands against it, and sends nothing', async () => {
    const [one, other] = await clients(500);
    const refused = await one.post(1, ask('hello'));
    expect(refused.body).toMatchObject({ error: { type: 'budget_refused', code: 'money_capped' } });
    expect(server.seen).toEqual([]);
    await Promise.all([one.close(), other.close()]);
  });
});
