import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UsageRecord } from '../../src/schema/record.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { leaseRequest } from '../support/gateway-fixture.ts';
import { answered, claim, reservation } from '../support/ledger-fixture.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

/** What a worker that had been stalled spends, as the ledger lets it: one call that ended, one still in flight. */
function spendLate(): void {
  const { ledger } = fixture.gateway;
  ledger.openLease(leaseRequest('a', { experimentId: fixture.lock.id }));
  ledger.reserve(reservation(claim('a', 1)));
  ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(90, 10));
  ledger.reserve(reservation(claim('a', 2)));
}

/** Another worker that spends once the totals were read, before the experiment is closed. */
function stalledWorker(): void {
  const { control } = fixture.gateway;
  let spent = false;
  const usage: typeof control.usage = async (input) => {
    const told = await control.usage(input);
    if (!spent) spendLate();
    spent = true;
    return told;
  };
  const get = (port: typeof control, name: keyof typeof control): unknown => (name === 'usage' ? usage : port[name]);
  fixture.restart({ gateway: new Proxy(control, { get: (port, name) => get(port, name as keyof typeof control) }) });
}

test('what a stalled worker spent while the report was made is in it; afterwards it gets nothing', async () => {
  stalledWorker();
  await fixture.run('writeReport', { experimentId: fixture.lock.id, ended: 'complete' });
  const { control } = fixture.gateway;
  const { roles } = await control.usage({ experimentId: fixture.lock.id });
  const told = (await fixture.records()).filter((record): record is UsageRecord => record.kind === 'usage').at(-1);
  expect(told?.calls).toBe(2);
  expect(told?.charged).toBe(roles.reduce((sum, role) => sum + role.charged + role.reserved, 0));
  expect((await control.openLeases({ experimentId: fixture.lock.id })).leases).toEqual([]);
  expect(fixture.reports).toEqual([{ records: (await fixture.records()).length }]);
  expect(() => fixture.gateway.ledger.openLease(leaseRequest('a', { experimentId: fixture.lock.id }))).toThrow(
    expect.objectContaining({ code: 'ANL-6010' }),
  );
  expect(fixture.gateway.ledger.reserve(reservation(claim('a', 2)))).toMatchObject({ kind: 'fenced' });
});

test('an attempt that a stalled worker begins after the close fails for good, and leaves no sandbox', async () => {
  await fixture.run('writeReport', { experimentId: fixture.lock.id, ended: 'complete' });
  const late = fixture.run('performAttempt', fixture.attempt('desk/d1'));
  await expect(late).rejects.toMatchObject({ type: 'ANL-6010', nonRetryable: true });
  expect(fixture.sandbox.starts).toEqual([]);
});
