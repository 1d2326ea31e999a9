import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { leaseRequest } from '../support/gateway-fixture.ts';
import { answered, claim, reservation } from '../support/ledger-fixture.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

const close = () => fixture.run('closeExperiment', { experimentId: fixture.lock.id });

async function decisions(): Promise<string[]> {
  return (await fixture.records()).flatMap((record) =>
    record.kind === 'decision' ? [`${record.event}: ${record.reason}`] : [],
  );
}

describe('an experiment that will not go on', () => {
  test('is closed with a report of what there is, and its sealed records open', async () => {
    await fixture.run('performAttempt', fixture.attempt('desk/d1'));
    await close();
    expect(await decisions()).toEqual([
      'experiment-cancelled: closed on request: it does not go on',
      'experiment-closed: cancelled',
    ]);
    expect(fixture.reports).toHaveLength(1);
  });

  test('leaves no keeper and no lease behind', async () => {
    fixture.sandbox.run = () => 'hold';
    const attempt = fixture.attempt('desk/d1');
    const flying = fixture.run('performAttempt', attempt).catch(() => null);
    await expect.poll(() => fixture.sandbox.starts.length).toBe(1);
    await close();
    expect(fixture.sandbox.stopped).toEqual([fixture.sandbox.starts[0]?.directory]);
    expect((await fixture.gateway.control.openLeases({ experimentId: fixture.lock.id })).leases).toEqual([]);
    await flying;
  });

  test('is closed once: again changes no record, and its report is written as it was', async () => {
    await close();
    const before = await fixture.records();
    await close();
    expect(await fixture.records()).toEqual(before);
    expect(fixture.reports).toEqual([{ records: before.length }, { records: before.length }]);
  });

  test('and whose worker died right behind its closing record still gets its report, with what was spent late', async () => {
    const { control, ledger } = fixture.gateway;
    let readings = 0;
    const usage: typeof control.usage = async (input) => {
      readings += 1;
      if (readings === 2) throw new Error('the worker was killed here');
      const told = await control.usage(input);
      ledger.openLease(leaseRequest('a', { experimentId: fixture.lock.id }));
      ledger.reserve(reservation(claim('a', 1)));
      ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(90, 10));
      return told;
    };
    fixture.restart({ gateway: Object.assign(Object.create(control) as typeof control, { usage }) });
    await expect(close()).rejects.toThrow('killed here');
    expect(await decisions()).toContain('experiment-closed: cancelled');
    fixture.restart();
    await close();
    const records = await fixture.records();
    expect(records.filter(({ kind }) => kind === 'usage').at(-1)).toMatchObject({ role: 'solver', calls: 1 });
    expect(fixture.reports).toEqual([{ records: records.length }]);
    expect(await decisions()).toHaveLength(2);
  });
});

test('an experiment that was never prepared can be closed too', async () => {
  await fixture.remove();
  fixture = await ActivityFixture.unprepared();
  await close();
  expect((await fixture.records()).map(({ kind }) => kind)).toContain('revision');
  expect(await decisions()).toContain('experiment-closed: cancelled');
});

test('the report of a closed experiment alone is written anew', async () => {
  const refresh = () => fixture.run('refreshReport', { experimentId: fixture.lock.id });
  await refresh();
  expect(fixture.reports).toHaveLength(0);
  await close();
  await refresh();
  expect(fixture.reports).toHaveLength(2);
});
