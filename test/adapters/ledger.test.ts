import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LEDGER_VERSION } from '../../src/adapters/ledger/schema-sql.ts';
import { openLedger } from '../../src/adapters/ledger.ts';
import { closedKey } from '../../src/domain/is-closed.ts';
import { ExperimentId, Sha256 } from '../../src/schema/ids.ts';
import { EXPERIMENT, binding, leaseRequest, registration } from '../support/gateway-fixture.ts';
import { answered, attemptKey, claim, openLedgerFixture, reservation, spend } from '../support/ledger-fixture.ts';
import type { LedgerFixture } from '../support/ledger-fixture.ts';

const id = ExperimentId.parse(EXPERIMENT);
let fixture: LedgerFixture;

beforeEach(() => {
  fixture = openLedgerFixture({ budgets: { solver: 10_000, updater: 1_000_000, judge: null } });
});
afterEach(() => fixture.close());

describe('the file', () => {
  it('is refused with the version found in it when another version wrote it', () => {
    fixture.ledger.close();
    const database = new Database(fixture.path);
    database.exec("UPDATE meta SET value = '0' WHERE name = 'version'");
    database.close();
    expect(() => openLedger(fixture.path)).toThrow(
      expect.objectContaining({ code: 'ANL-2003', why: expect.stringContaining('format 0') }),
    );
    const restored = new Database(fixture.path);
    restored.prepare("UPDATE meta SET value = ? WHERE name = 'version'").run([LEDGER_VERSION]);
    restored.close();
    fixture.ledger = openLedger(fixture.path);
  });

  it('has one owner at a time', () => {
    expect(() => openLedger(fixture.path)).toThrow(expect.objectContaining({ code: 'ANL-5007' }));
  });

  it('is written through to the disk at every commit', () => {
    const database = new Database(fixture.path);
    expect(database.prepare('PRAGMA journal_mode').get([])).toMatchObject({ journal_mode: 'wal' });
    database.close();
  });

  it('never lets a call row go, or change twice', () => {
    fixture.ledger.openLease(leaseRequest('a'));
    spend(fixture.ledger, claim('a', 1));
    const database = new Database(fixture.path);
    expect(() => database.exec('DELETE FROM call')).toThrow(/never deleted/);
    expect(() => database.exec('UPDATE call SET charged = 0')).toThrow(/changes once/);
    database.close();
  });
});

describe('experiments', () => {
  it('are registered once; the same digest may bring other addresses, another digest is refused', () => {
    const moved = binding('http://127.0.0.1:10/v1');
    expect(fixture.ledger.registerExperiment(registration(moved))).toBe('known');
    expect(fixture.ledger.experiment(id).models.solver?.baseUrl).toBe('http://127.0.0.1:10/v1');
    expect(() => fixture.ledger.registerExperiment(registration(moved, { configDigest: 'b'.repeat(64) }))).toThrow(
      expect.objectContaining({ code: 'ANL-2004', notSpent: 'nothing was started, 0 tokens spent' }),
    );
  });

  it('keep their budgets when registered again, and raise them by a grant, once per request id', () => {
    fixture.ledger.registerExperiment(
      registration(binding('http://127.0.0.1:9/v1'), { budgets: { solver: 1, updater: 1, judge: 1 } }),
    );
    const grant = {
      experimentId: id,
      arm: leaseRequest('a').arm,
      kind: 'solver' as const,
      delta: 500,
      requestId: 'raise-1',
    };
    expect(fixture.ledger.grant(grant)).toBe(10_500);
    expect(fixture.ledger.grant(grant)).toBe(10_500);
    expect(fixture.ledger.grant({ ...grant, delta: -20_000, requestId: 'lower-1' })).toBe(0);
    expect(fixture.ledger.grant({ ...grant, kind: 'judge', requestId: 'judge-1' })).toBeNull();
  });
});

describe('leases', () => {
  it('count supervisors within an epoch: same token, socket and slot, next lease', () => {
    const first = fixture.ledger.openLease(leaseRequest('a'));
    const second = fixture.ledger.openLease(leaseRequest('a'));
    expect(second).toEqual({ ...first, lease: 2 });
  });

  it('are fenced by a newer epoch, which brings a token, a socket and a slot of its own', () => {
    const first = fixture.ledger.openLease(leaseRequest('a'));
    const next = fixture.ledger.openLease(leaseRequest('a', { epoch: 2 }));
    expect(next.token).not.toBe(first.token);
    expect(next.socketName).not.toBe(first.socketName);
    expect(next.slot).not.toBe(first.slot);
    expect(fixture.ledger.leaseState(first).state).toBe('fenced');
    expect(() => fixture.ledger.openLease(leaseRequest('a'))).toThrow(expect.objectContaining({ code: 'ANL-6006' }));
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toEqual({ kind: 'fenced', currentEpoch: 2 });
  });

  it('refuse what an older supervisor writes', () => {
    const { attemptKey: key } = fixture.ledger.openLease(leaseRequest('a'));
    fixture.ledger.openLease(leaseRequest('a'));
    const stale = { attemptKey: key, epoch: 1, lease: 1 };
    expect(() => fixture.ledger.closeLease(stale)).toThrow(expect.objectContaining({ code: 'ANL-6006' }));
    expect(() => fixture.ledger.reportElapsed(stale, 5)).toThrow(expect.objectContaining({ code: 'ANL-6006' }));
    expect(() => fixture.ledger.setSocketOwner(stale, 5)).toThrow(expect.objectContaining({ code: 'ANL-6006' }));
  });

  it('share no slot while open, and give it back when closed', () => {
    const slots = ['a', 'b', 'c'].map((key) => fixture.ledger.openLease(leaseRequest(key)).slot);
    expect(slots).toEqual([0, 1, 2]);
    fixture.ledger.closeLease({ attemptKey: attemptKey('b'), epoch: 1, lease: 1 });
    expect(fixture.ledger.openLease(leaseRequest('d')).slot).toBe(1);
    expect(fixture.ledger.openLease(leaseRequest('b')).slot).toBe(3);
  });

  it('may be closed twice', () => {
    fixture.ledger.openLease(leaseRequest('a'));
    const closing = { attemptKey: attemptKey('a'), epoch: 1, lease: 1 };
    fixture.ledger.closeLease(closing);
    fixture.ledger.closeLease(closing);
    expect(fixture.ledger.leaseState(closing).state).toBe('closed');
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toMatchObject({ kind: 'fenced' });
  });

  it('inherit the wall time of earlier epochs: what was told, or the span of their calls less their waits', () => {
    fixture.ledger.openLease(leaseRequest('a'));
    fixture.ledger.reportElapsed({ attemptKey: attemptKey('a'), epoch: 1, lease: 1 }, 700);
    expect(fixture.ledger.openLease(leaseRequest('a', { epoch: 2 })).elapsedMs).toBe(700);
    fixture.clock.now += 5000;
    fixture.ledger.reserve(reservation(claim('a', 1, { epoch: 2 })));
    fixture.ledger.addWaited({ attemptKey: attemptKey('a'), epoch: 2 }, 1500);
    expect(fixture.ledger.openLease(leaseRequest('a', { epoch: 3 })).elapsedMs).toBe(700 + 3500);
  });

  it('stay open over a restart, with the same token, and are given the outage as waited time', () => {
    const before = fixture.ledger.openLease(leaseRequest('a'));
    fixture.ledger.beat();
    fixture.clock.now += 30_000;
    const ledger = fixture.reopen();
    expect(ledger.accountOutage()).toBe(30_000);
    expect(ledger.openLeaseStates()).toEqual([before]);
    expect(ledger.leaseUsage(before).waitedMs).toBe(30_000);
  });
});

describe('effects, records and selection queries', () => {
  const arm = leaseRequest('a').arm;
  const query = (digest: string) => ({
    experimentId: id,
    arm,
    revisionDigest: digest.repeat(64) as never,
    selectionDigest: Sha256.parse('5'.repeat(64)),
  });

  it('keep the first result of an effect', () => {
    expect(fixture.ledger.getEffect('k')).toEqual({ kind: 'absent' });
    expect(fixture.ledger.putEffect({ key: 'k', kind: 'commit', result: { commit: 1 } })).toEqual({
      kind: 'stored',
      result: { commit: 1 },
    });
    expect(fixture.ledger.putEffect({ key: 'k', kind: 'commit', result: { commit: 2 } })).toEqual({
      kind: 'existing',
      result: { commit: 1 },
    });
    expect(fixture.ledger.getEffect('k')).toEqual({
      kind: 'found',
      effect: { key: 'k', kind: 'commit', result: { commit: 1 } },
    });
  });

  it('append a record once per stream and key, numbered within the experiment', () => {
    const record = (stream: string, key: string, body: unknown) => ({ experimentId: id, stream, key, body });
    expect(fixture.ledger.appendRecord(record('attempts', 'k1', 1))).toEqual({ seq: 1, appended: true });
    expect(fixture.ledger.appendRecord(record('queries', 'k1', 2))).toEqual({ seq: 2, appended: true });
    expect(fixture.ledger.appendRecord(record('attempts', 'k1', 9))).toEqual({ seq: 1, appended: false });
    expect(fixture.ledger.listRecords({ experimentId: id })).toEqual([
      { seq: 1, stream: 'attempts', key: 'k1', body: 1 },
      { seq: 2, stream: 'queries', key: 'k1', body: 2 },
    ]);
    expect(fixture.ledger.listRecords({ experimentId: id, since: 1 })).toHaveLength(1);
    expect(fixture.ledger.listRecords({ experimentId: id, stream: 'attempts', limit: 5 })).toHaveLength(1);
  });

  it('reserve a query up to the cap, disclose it once, give the stored number again for nothing', () => {
    expect(fixture.ledger.reserveQuery(query('0'))).toEqual({ kind: 'reserved', query: 1, used: 1, cap: 4 });
    expect(fixture.ledger.reserveQuery(query('0'))).toEqual({ kind: 'reserved', query: 1, used: 1, cap: 4 });
    expect(fixture.ledger.discloseQuery({ ...query('0'), exact: 47.4321, shown: 47.4 })).toEqual({
      query: 1,
      exact: 47.4321,
      shown: 47.4,
      first: true,
    });
    expect(fixture.ledger.discloseQuery({ ...query('0'), exact: 99, shown: 99 })).toEqual({
      query: 1,
      exact: 47.4321,
      shown: 47.4,
      first: false,
    });
    for (const digest of ['1', '2', '3'])
      expect(fixture.ledger.reserveQuery(query(digest))).toMatchObject({ kind: 'reserved' });
    expect(fixture.ledger.reserveQuery(query('4'))).toEqual({ kind: 'refused', used: 4, cap: 4 });
    expect(fixture.ledger.reserveQuery(query('0'))).toEqual({
      kind: 'disclosed',
      query: 1,
      exact: 47.4321,
      shown: 47.4,
    });
  });

  it('free a released query, but never one that was disclosed', () => {
    fixture.ledger.reserveQuery(query('0'));
    fixture.ledger.reserveQuery(query('1'));
    expect(fixture.ledger.releaseQuery(query('0'))).toBe('released');
    expect(() => fixture.ledger.discloseQuery({ ...query('0'), exact: 1, shown: 1 })).toThrow(
      expect.objectContaining({ code: 'ANL-6009' }),
    );
    expect(fixture.ledger.reserveQuery(query('2'))).toMatchObject({ query: 1, used: 2 });
    fixture.ledger.discloseQuery({ ...query('1'), exact: 1, shown: 1 });
    expect(fixture.ledger.releaseQuery(query('1'))).toBe('disclosed');
    expect(fixture.ledger.usage(id).queries).toEqual([{ arm, used: 2, cap: 4 }]);
  });
});

describe('a closed experiment', () => {
  const closing = { experimentId: id, ...closedKey, body: { event: 'experiment-closed' } };
  const refused = expect.objectContaining({ code: 'ANL-6010', fields: { experiment: id } });

  it.each([
    ['a new attempt', () => leaseRequest('b')],
    ['a new epoch of one that it has', () => leaseRequest('a', { epoch: 2 })],
    ['another supervisor of an epoch', () => leaseRequest('a')],
    ["an updater's call", () => leaseRequest('c', { role: 'updater' })],
  ])('gets no lease for %s', (_, request) => {
    fixture.ledger.openLease(leaseRequest('a'));
    fixture.ledger.appendRecord(closing);
    const before = fixture.ledger.openLeaseStates();
    expect(() => fixture.ledger.openLease(request())).toThrow(refused);
    expect(fixture.ledger.openLeaseStates()).toEqual(before);
    expect(() => fixture.reopen().openLease(request())).toThrow(refused);
  });

  it('is sent nothing more for under a lease that was left open, and what was in flight is settled', () => {
    fixture.ledger.openLease(leaseRequest('a'));
    fixture.ledger.openLease(leaseRequest('b'));
    const inFlight = fixture.ledger.reserve(reservation(claim('a', 1)));
    if (inFlight.kind !== 'reserved') throw new Error('not reserved');
    fixture.ledger.appendRecord(closing);
    expect(fixture.ledger.reserve(reservation(claim('b', 1)))).toEqual({ kind: 'closed' });
    expect(fixture.ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(90, 10))).toBe(100);
    expect(fixture.ledger.reserve(reservation(claim('a', 2)))).toEqual({ kind: 'closed' });
    fixture.ledger.closeLease({ attemptKey: attemptKey('a'), epoch: 1, lease: 1 });
    expect(fixture.ledger.usage(id).roles).toMatchObject([{ rows: 1, charged: 100, reserved: 0 }]);
  });

  it('is none by a record that was undone, of another key or of another experiment', async () => {
    const other = ExperimentId.parse('exp_0000beef');
    const changes = { experimentId: other, configDigest: 'c'.repeat(64) };
    fixture.ledger.registerExperiment(registration(binding('http://127.0.0.1:9/v1'), changes));
    fixture.ledger.openLease(leaseRequest('a'));
    const undone = fixture.ledger.shared(() => {
      fixture.ledger.appendRecord(closing);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    fixture.ledger.appendRecord({ ...closing, stream: 'sealed' });
    fixture.ledger.appendRecord({ ...closing, key: 'decision/experiment-closed/2' });
    fixture.ledger.appendRecord({ ...closing, experimentId: other });
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toMatchObject({ kind: 'reserved' });
    expect(fixture.ledger.openLease(leaseRequest('b'))).toMatchObject({ state: 'open' });
    expect(() => fixture.ledger.openLease(leaseRequest('c', { experimentId: other }))).toThrow(
      expect.objectContaining({ code: 'ANL-6010' }),
    );
  });
});
