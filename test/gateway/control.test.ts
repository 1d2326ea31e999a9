import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayClient } from '../../src/adapters/gateway-client.ts';
import { callThroughLease } from '../../src/adapters/lease-client.ts';
import { ExperimentId, Sha256 } from '../../src/schema/ids.ts';
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
import { temporaryFolder } from '../support/temporary-folder.ts';

const id = ExperimentId.parse(EXPERIMENT);
const asRoot = process.getuid?.() === 0;
let provider: ProviderServer;
let fixture: GatewayFixture;

beforeEach(async () => {
  provider = await startProviderServer();
  fixture = await startGateway();
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 5000 })));
});
afterEach(async () => {
  await fixture.close();
  await provider.close();
});

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('sockets', () => {
  it('are private to their owner: directory 0700, socket 0600, names that tell nothing', async () => {
    const lease = await fixture.control.openLease(leaseRequest('a'));
    expect(mode(lease.socketDirectory)).toBe('700');
    expect(mode(join(lease.socketDirectory, 'gateway.sock'))).toBe('600');
    expect(lease.socketDirectory).toMatch(/\/s\/[0-9a-f]{16}$/);
    expect(mode(join(fixture.directory, 'control.sock'))).toBe('600');
  });

  it.runIf(asRoot)('are handed to a uid, at once or later, and stay its own over a restart', async () => {
    const lease = await fixture.control.openLease(leaseRequest('a', { uid: 12_345 }));
    const socket = join(lease.socketDirectory, 'gateway.sock');
    expect({ mode: mode(lease.socketDirectory), uid: statSync(socket).uid }).toEqual({ mode: '711', uid: 12_345 });
    const later = await fixture.control.openLease(leaseRequest('b'));
    await fixture.control.setSocketOwner({ attemptKey: later.attemptKey, epoch: 1, lease: 1, uid: 12_346 });
    expect(statSync(join(later.socketDirectory, 'gateway.sock')).uid).toBe(12_346);
    await fixture.gateway.stop();
    fixture.ledger.close();
    const again = await startGateway({ directory: fixture.directory });
    expect(statSync(socket).uid).toBe(12_345);
    expect(statSync(join(later.socketDirectory, 'gateway.sock')).uid).toBe(12_346);
    fixture = again;
  });

  it('go with their lease', async () => {
    const lease = await fixture.control.openLease(leaseRequest('a'));
    await fixture.control.closeLease({ attemptKey: lease.attemptKey, epoch: 1, lease: 1 });
    expect(existsSync(lease.socketDirectory)).toBe(false);
  });

  it('come back at the same place, with the same token, when the lease is opened again', async () => {
    const lease = await fixture.control.openLease(leaseRequest('a'));
    await fixture.control.closeLease({ attemptKey: lease.attemptKey, epoch: 1, lease: 1 });
    const again = await fixture.control.openLease(leaseRequest('a'));
    expect(again).toMatchObject({ token: lease.token, socketDirectory: lease.socketDirectory, lease: 2 });
    const client = new FrontClient(again);
    expect((await client.post(1, ask('hello'))).status).toBe(200);
    await client.close();
  });

  it('left behind by leases that ended meanwhile are removed at the next start; those of open leases stay in their place', async () => {
    const stays = await fixture.control.openLease(leaseRequest('a'));
    const left = join(fixture.directory, 's', '0123456789abcdef');
    mkdirSync(left);
    await fixture.gateway.stop();
    fixture.ledger.close();
    fixture = await startGateway({ directory: fixture.directory });
    expect(existsSync(left)).toBe(false);
    const client = new FrontClient(stays);
    expect((await client.post(1, ask('hello'))).status).toBe(200);
    await client.close();
  });

  it('may be closed twice at once, and opened while they close', async () => {
    const lease = await fixture.control.openLease(leaseRequest('a'));
    const closing = { attemptKey: lease.attemptKey, epoch: 1, lease: 1 };
    const [one, two, again] = await Promise.all([
      fixture.control.closeLease(closing),
      fixture.control.closeLease(closing),
      fixture.control.openLease(leaseRequest('a')),
    ]);
    expect(one).toEqual(two);
    const client = new FrontClient(again);
    expect((await client.post(1, ask('hello'))).status).toBe(200);
    await client.close();
  });

  it('with a path that is too long for the kernel are refused', async () => {
    const directory = join(temporaryFolder('gw'), 'x'.repeat(100));
    mkdirSync(directory);
    await expect(startGateway({ directory })).rejects.toMatchObject({ code: 'ANL-3011' });
  });
});

describe('the client', () => {
  it('gets errors as they were thrown', async () => {
    const other = registration(binding(provider.baseUrl), { configDigest: 'b'.repeat(64) });
    await expect(fixture.control.registerExperiment(other)).rejects.toMatchObject({
      code: 'ANL-2004',
      exit: 2,
      fields: { experiment: EXPERIMENT },
      why: expect.stringContaining('sha256:aaaaaaaa'),
      notSpent: 'nothing was started, 0 tokens spent',
    });
  });

  it('reports a gateway that is not there as one to try again', async () => {
    const nobody = new GatewayClient(join(fixture.directory, 'nobody.sock'));
    await expect(nobody.health({})).rejects.toMatchObject({ code: 'ANL-5001', retryable: true });
    await nobody.disconnect();
  });

  it('reaches every operation', async () => {
    const { control } = fixture;
    const lease = await control.openLease(leaseRequest('a'));
    const reference = { attemptKey: lease.attemptKey, epoch: 1, lease: 1 };
    await control.reportElapsed({ ...reference, elapsedMs: 10 });
    expect(await control.leaseUsage(reference)).toMatchObject({ calls: 0 });
    expect(await control.openLeases({ experimentId: id })).toMatchObject({ leases: [{ epoch: 1, arm: 'ace' }] });
    expect(await control.putEffect({ key: 'k', kind: 'commit', result: [1] })).toEqual({ kind: 'stored', result: [1] });
    expect(await control.getEffect({ key: 'k' })).toMatchObject({ kind: 'found', effect: { result: [1] } });
    const query = {
      experimentId: id,
      arm: leaseRequest('a').arm,
      revisionDigest: '1'.repeat(64) as never,
      selectionDigest: Sha256.parse('2'.repeat(64)),
    };
    expect(await control.reserveQuery(query)).toMatchObject({ kind: 'reserved', query: 1 });
    expect(await control.discloseQuery({ ...query, exact: 1.25, shown: 1.3 })).toMatchObject({ first: true });
    expect(await control.releaseQuery(query)).toEqual({ kind: 'disclosed' });
    expect(await control.appendRecord({ experimentId: id, stream: 's', key: 'k', body: { a: 1 } })).toEqual({
      seq: 1,
      appended: true,
    });
    expect(await control.listRecords({ experimentId: id })).toMatchObject({ records: [{ seq: 1, body: { a: 1 } }] });
    expect(
      await control.grant({ experimentId: id, arm: query.arm, kind: 'queries', delta: 1, requestId: 'g' }),
    ).toEqual({ limit: 5 });
    expect(await control.usage({ experimentId: id })).toMatchObject({ queries: [{ used: 1, cap: 5 }] });
    expect(await control.listCalls({ experimentId: id })).toEqual({ calls: [] });
    expect(await control.auditLedger({ experimentId: id })).toMatchObject({ rows: 0, mismatches: [] });
    expect(await control.closeLease({ ...reference, elapsedMs: 20 })).toMatchObject({ calls: 0 });
    expect(await control.health({})).toMatchObject({ version: 'test', pid: process.pid, openLeases: 0 });
  });

  it('is told when an operation or its body is unknown', async () => {
    const client = new Client('http://gateway', { socketPath: join(fixture.directory, 'control.sock') });
    const post = async (path: string, body: string) =>
      (await client.request({ path, method: 'POST', body })).statusCode;
    expect(await post('/v1/openLease', '{"epoch":0}')).toBe(400);
    expect(await post('/v1/openLease', 'no json')).toBe(400);
    expect(await post('/v1/constructor', '{}')).toBe(404);
    await client.destroy();
  });
});

describe('calls of the engine itself', () => {
  it('go through a lease like any other, and are recorded under their number', async () => {
    provider.script({ kind: 'answer', text: '{"reasoning": "r"}' });
    const lease = await fixture.control.openLease(leaseRequest('b', { role: 'updater' }));
    const request = {
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'reflect' }] }],
      responseFormat: 'json' as const,
    };
    const reply = await callThroughLease(lease, 1, request);
    expect(reply).toMatchObject({
      kind: 'answered',
      response: { content: [{ text: '{"reasoning": "r"}' }], finishReason: 'stop' },
    });
    expect(await callThroughLease(lease, 1, request)).toEqual(reply);
    expect(provider.seen.map((seen) => seen.body['response_format'])).toEqual([{ type: 'json_object' }]);
    await fixture.control.closeLease({ attemptKey: lease.attemptKey, epoch: 1, lease: 1 });
    await expect(callThroughLease(lease, 2, request)).rejects.toMatchObject({ code: 'ANL-5001' });
  });

  it('that are refused say why', async () => {
    const lease = await fixture.control.openLease(leaseRequest('b', { role: 'judge' }));
    expect(
      await callThroughLease(lease, 1, { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }),
    ).toMatchObject({
      kind: 'refused',
      type: 'provider_unavailable',
      code: 'no_model_for_role',
    });
  });
});
