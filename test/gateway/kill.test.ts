import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExperimentId } from '../../src/schema/ids.ts';
import type { Lease } from '../../src/schema/lease.ts';
import { EXPERIMENT, FrontClient, ask, binding, leaseRequest, registration } from '../support/gateway-fixture.ts';
import type { FrontReply } from '../support/gateway-fixture.ts';
import { gatewayProcess } from '../support/gateway-process.ts';
import type { GatewayProcess } from '../support/gateway-process.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';

const id = ExperimentId.parse(EXPERIMENT);
let provider: ProviderServer;
let gateway: GatewayProcess;

beforeEach(async () => {
  provider = await startProviderServer();
  gateway = gatewayProcess();
  await gateway.start();
  await gateway.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 20_000 })));
});
afterEach(async () => {
  await gateway.close();
  await provider.close();
});

/** Asks as the runner does: the same number again until there is an answer. */
async function persist(lease: Lease, call: number, body: unknown): Promise<FrontReply> {
  for (let tries = 0; ; tries += 1) {
    const client = new FrontClient(lease);
    try {
      const reply = await client.post(call, body);
      if (reply.status !== 503 || tries > 400) return reply;
    } catch (error) {
      if (tries > 400) throw error;
    } finally {
      await client.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

it('a call in flight at a kill -9 is charged in full, listed, and answered when asked again under the next retry index', async () => {
  const lease = await gateway.control.openLease(leaseRequest('a'));
  await persist(lease, 1, ask('first'));
  provider.script({ kind: 'answer', delayMs: 60_000 });
  const lost = new FrontClient(lease);
  const broken = lost.post(2, ask('second')).catch(() => 'broken');
  await provider.arrived(2);
  await gateway.kill();
  expect(await broken).toBe('broken');
  await lost.close();
  await gateway.start();

  const usage = await gateway.control.usage({ experimentId: id });
  expect(usage.unknown).toEqual([
    expect.objectContaining({ call: 2, retryIndex: 0, code: 'gateway_ended', basis: 'upperBound' }),
  ]);
  expect((await persist(lease, 2, ask('second'))).status).toBe(200);
  expect((await persist(lease, 1, ask('first'))).status).toBe(200);
  const { calls } = await gateway.control.listCalls({ experimentId: id });
  expect(calls.map((row) => `${row.call}.${row.retryIndex} ${row.state}`)).toEqual([
    '1.0 settled',
    '2.0 unknown',
    '2.1 settled',
  ]);
  const total = (await gateway.control.usage({ experimentId: id })).roles[0];
  expect(total?.charged).toBe(provider.bill.tokens + (total?.unknownCharged ?? 0));
  const spent = await gateway.control.leaseUsage({ attemptKey: lease.attemptKey, epoch: 1 });
  expect(spent).toMatchObject({ calls: 2, retries: 1, unknownRows: 1, lastFault: null });
  expect(spent.waitedMs).toBeGreaterThan(0);
});

it('kills at any moment lose no count: the ledger is at or above the bill, by no more than its unknown rows', async () => {
  const lanes = await Promise.all(['a', 'b', 'c'].map(async (key) => gateway.control.openLease(leaseRequest(key))));
  provider.script(
    ...Array.from({ length: 45 }, (_, index) => ({ kind: 'answer' as const, delayMs: (index * 7) % 60 })),
  );
  const work = Promise.all(
    lanes.map(async (lease) => {
      for (let call = 1; call <= 12; call += 1) {
        expect((await persist(lease, call, ask(`step ${call}`, { stream: call % 3 === 0 }))).status).toBe(200);
      }
    }),
  );
  for (const arrivals of [4, 13, 22]) {
    await provider.arrived(arrivals);
    await gateway.kill();
    await gateway.start();
  }
  await work;
  const usage = await gateway.control.usage({ experimentId: id });
  const total = usage.roles[0];
  expect(total?.charged).toBeGreaterThanOrEqual(provider.bill.tokens);
  expect((total?.charged ?? 0) - provider.bill.tokens).toBeLessThanOrEqual(total?.unknownCharged ?? 0);
  expect(total?.rows).toBe(36 + usage.unknown.length);
  expect(await gateway.control.auditLedger({ experimentId: id })).toMatchObject({ unsettled: 0, mismatches: [] });
  for (const lease of lanes) {
    expect(await gateway.control.closeLease({ attemptKey: lease.attemptKey, epoch: 1, lease: 1 })).toMatchObject({
      calls: 12,
    });
  }
});

it('SIGTERM lets a call in flight end and settle, exits 0, and the next start finds nothing unknown', async () => {
  const lease = await gateway.control.openLease(leaseRequest('a'));
  provider.script({ kind: 'answer', delayMs: 400 });
  const client = new FrontClient(lease);
  const reply = client.post(1, ask('slow'));
  await provider.arrived(1);
  const code = gateway.kill('SIGTERM');
  await reply.catch(() => null);
  expect(await code).toBe(0);
  await client.close();
  await gateway.start();
  const usage = await gateway.control.usage({ experimentId: id });
  expect(usage.unknown).toEqual([]);
  expect(usage.roles[0]?.charged).toBe(provider.bill.tokens);
  expect((await persist(lease, 1, ask('slow'))).status).toBe(200);
  expect(provider.seen).toHaveLength(1);
});

it('a second gateway on the same files is refused and disturbs nothing', async () => {
  await expect(gateway.start()).resolves.toBeUndefined();
  const lease = await gateway.control.openLease(leaseRequest('a'));
  await expect.poll(() => gateway.log(), { timeout: 10_000 }).toContain('ANL-5007');
  expect((await persist(lease, 1, ask('hello'))).status).toBe(200);
});
