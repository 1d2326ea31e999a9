import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Halt } from '../../src/schema/halt.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import { EXPERIMENT, binding, leaseRequest, registration } from '../support/gateway-fixture.ts';
import { HASH, OTHER_HASH, answered, claim, openLedgerFixture, reservation, spend } from '../support/ledger-fixture.ts';
import type { LedgerFixture } from '../support/ledger-fixture.ts';

const id = ExperimentId.parse(EXPERIMENT);
let fixture: LedgerFixture;

beforeEach(() => {
  fixture = openLedgerFixture({ budgets: { solver: 10_000, updater: 1_000_000, judge: null } });
});
afterEach(() => fixture.close());

const halt: Halt = {
  role: 'solver',
  kind: 'served_model_changed',
  reason: 'other model',
  setting: null,
  since: 1_000_000,
  until: null,
};

describe('request attempts', () => {
  beforeEach(() => void fixture.ledger.openLease(leaseRequest('a', { limits: { calls: 3, tokens: 5000 } })));

  it('are reserved at the prompt count and a tenth, rounded up, plus the output cap', () => {
    expect(fixture.ledger.reserve(reservation(claim('a', 1), { promptTokens: 101 }))).toEqual({
      kind: 'reserved',
      retryIndex: 0,
      outputCap: 1000,
      tokens: 1112,
    });
  });

  it('are refused past the call limit, retries included', () => {
    spend(fixture.ledger, claim('a', 1), {
      kind: 'rejected',
      fault: 'infrastructure',
      code: 'rate_limited',
      detail: '',
      answer: null,
    });
    spend(fixture.ledger, claim('a', 1));
    spend(fixture.ledger, claim('a', 2));
    expect(fixture.ledger.reserve(reservation(claim('a', 3)))).toEqual({
      kind: 'refused',
      limit: 'calls',
      used: 3,
      needed: 1,
      allowed: 3,
      waits: false,
    });
    expect(fixture.ledger.leaseUsage(claim('a', 3))).toMatchObject({ calls: 2, retries: 1, limitHit: 'calls' });
  });

  it('lower the output cap to what the attempt has left, down to 256 tokens, and are refused below that', () => {
    spend(fixture.ledger, claim('a', 1), answered(4000, 366));
    expect(fixture.ledger.reserve(reservation(claim('a', 2)))).toMatchObject({
      kind: 'reserved',
      outputCap: 5000 - 4366 - 110,
    });
    fixture.ledger.settle({ ...claim('a', 2), retryIndex: 0 }, answered(100, 170));
    expect(fixture.ledger.reserve(reservation(claim('a', 3)))).toEqual({
      kind: 'refused',
      limit: 'tokens',
      used: 4636,
      needed: 366,
      allowed: 5000,
      waits: false,
    });
  });

  it('are refused past the budget of role and arm, in whichever attempt, and admitted after a grant', () => {
    fixture.ledger.openLease(leaseRequest('b', { limits: { calls: 80, tokens: 1_000_000 } }));
    spend(fixture.ledger, claim('b', 1), answered(9000, 1));
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toEqual({
      kind: 'refused',
      limit: 'budget',
      used: 9001,
      needed: 1110,
      allowed: 10_000,
      waits: false,
    });
    expect(fixture.ledger.leaseUsage(claim('a', 1)).limitHit).toBe('budget');
    fixture.ledger.grant({ experimentId: id, arm: leaseRequest('a').arm, kind: 'solver', delta: 1000, requestId: 'g' });
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toMatchObject({ kind: 'reserved' });
    expect(fixture.ledger.leaseUsage(claim('a', 1)).limitHit).toBeNull();
  });

  it('send nothing while their role is halted, until the experiment is registered again', () => {
    fixture.ledger.haltRole(id, halt);
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toEqual({ kind: 'halted', halt });
    expect(fixture.reopen().usage(id).halted).toEqual([halt]);
    fixture.ledger.registerExperiment(registration(binding('http://127.0.0.1:9/v1')));
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toMatchObject({ kind: 'reserved' });
  });

  it('start no new epoch while their role is halted, while one that runs may be taken over', () => {
    fixture.ledger.haltRole(id, halt);
    expect(() => fixture.ledger.openLease(leaseRequest('a', { epoch: 2 }))).toThrow(/solver model .* is halted/);
    expect(() => fixture.ledger.openLease(leaseRequest('b'))).toThrow(/halted/);
    expect(fixture.ledger.openLease(leaseRequest('a')).lease).toBe(2);
    expect(fixture.ledger.openLease(leaseRequest('c', { role: 'updater' })).epoch).toBe(1);
  });

  it('are sent again once a halt has ended by itself, and a new one may follow', () => {
    const passing = { ...halt, kind: 'rate_limited' as const, until: fixture.clock.now + 60_000 };
    fixture.ledger.haltRole(id, passing);
    fixture.ledger.haltRole(id, halt);
    expect(fixture.ledger.halts(id)).toEqual([passing]);
    fixture.clock.now += 60_000;
    expect(fixture.ledger.halts(id)).toEqual([]);
    expect(fixture.ledger.reserve(reservation(claim('a', 1)))).toMatchObject({ kind: 'reserved' });
    const next = { ...halt, since: fixture.clock.now };
    fixture.ledger.haltRole(id, next);
    expect(fixture.ledger.halts(id)).toEqual([next]);
  });

  it('that were left without an answer are noted until one is given, and only while the lease is open', () => {
    const unserved = (): unknown => fixture.ledger.leaseUsage(claim('a', 1)).unserved;
    expect(unserved()).toBeNull();
    fixture.ledger.noteUnserved(claim('a', 1), 'http_500');
    expect(unserved()).toBe('http_500');
    spend(fixture.ledger, claim('a', 1));
    expect(unserved()).toBeNull();
    fixture.ledger.noteUnserved(claim('a', 2), 'halted');
    expect(unserved()).toBe('halted');
    fixture.ledger.reserve(reservation(claim('a', 3)));
    expect(unserved()).toBeNull();
    fixture.ledger.closeLease({ ...claim('a', 1), lease: 1 });
    fixture.ledger.noteUnserved(claim('a', 3), 'http_500');
    expect(unserved()).toBeNull();
  });

  it.each([
    ['a reply with usage', answered(90, 10), 'settled', 'reported', 100, 100],
    ['a reply without usage', { ...answered(90, 10), usage: null }, 'settled', 'upperBound', 0, 1110],
    [
      'a complete refusal',
      { kind: 'rejected', fault: 'infrastructure', code: 'c', detail: '', answer: null },
      'rejected',
      'rejected',
      0,
      0,
    ],
    [
      'no trustworthy end',
      { kind: 'unknown', fault: 'infrastructure', code: 'timeout', detail: '' },
      'unknown',
      'upperBound',
      0,
      1110,
    ],
  ] as const)('%s ends the row once', (_, end, state, basis, reported, charged) => {
    expect(spend(fixture.ledger, claim('a', 1), end)).toBe(charged);
    expect(fixture.ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(1, 1))).toBe(charged);
    expect(fixture.ledger.listCalls(id, null, 10)).toEqual([
      expect.objectContaining({ state, basis, charged, retryIndex: 0 }),
    ]);
    expect(fixture.ledger.usage(id).roles).toEqual([
      expect.objectContaining({ rows: 1, reported, charged, reserved: 0 }),
    ]);
  });

  it('left in flight by a killed process are charged in full, listed, and retried under the next index', () => {
    fixture.ledger.reserve(reservation(claim('a', 1)));
    const ledger = fixture.reopen();
    expect(ledger.reconcile()).toBe(1);
    expect(ledger.reconcile()).toBe(0);
    const row = { state: 'unknown', basis: 'upperBound', charged: 1110, code: 'gateway_ended' };
    expect(ledger.usage(id).unknown).toEqual([expect.objectContaining(row)]);
    expect(ledger.standing(claim('a', 1))).toEqual({ kind: 'open' });
    expect(ledger.reserve(reservation(claim('a', 1)))).toMatchObject({ retryIndex: 1 });
    expect(ledger.leaseUsage(claim('a', 1))).toMatchObject({ unknownRows: 1, lastFault: null });
  });
});

describe('numbered calls', () => {
  beforeEach(() => void fixture.ledger.openLease(leaseRequest('a')));

  it('are answered from the record for the same request, refused for another, refused past a gap', () => {
    spend(fixture.ledger, claim('a', 1), answered(5, 5, 'first'));
    expect(fixture.ledger.standing(claim('a', 1))).toMatchObject({
      kind: 'recorded',
      replayed: false,
      answer: { response: { content: [{ text: 'first' }] } },
    });
    expect(fixture.ledger.standing(claim('a', 1, { requestHash: OTHER_HASH }))).toEqual({ kind: 'conflict' });
    expect(fixture.ledger.standing(claim('a', 3))).toEqual({ kind: 'gap', expected: 2 });
    expect(fixture.ledger.standing(claim('a', 2))).toEqual({ kind: 'open' });
  });

  it('of a new epoch come from the record while requests agree; spending starts at the first difference and stays', () => {
    for (const call of [1, 2, 3]) spend(fixture.ledger, claim('a', call), answered(50, call));
    fixture.ledger.openLease(leaseRequest('a', { epoch: 2 }));
    const next = (call: number, requestHash = HASH) => claim('a', call, { epoch: 2, requestHash });
    expect(fixture.ledger.standing(next(1))).toMatchObject({ kind: 'recorded', replayed: true });
    expect(fixture.ledger.standing(next(1))).toMatchObject({ kind: 'recorded', replayed: true });
    expect(fixture.ledger.standing(next(1, OTHER_HASH))).toEqual({ kind: 'conflict' });
    expect(fixture.ledger.standing(next(3))).toEqual({ kind: 'gap', expected: 2 });
    expect(fixture.ledger.standing(next(2, OTHER_HASH))).toEqual({ kind: 'open' });
    spend(fixture.ledger, next(2, OTHER_HASH), answered(60, 1));
    expect(fixture.ledger.standing(next(3))).toEqual({ kind: 'open' });
    expect(fixture.ledger.leaseUsage(next(1))).toMatchObject({
      calls: 2,
      replayed: 1,
      tokensCharged: 61,
      tokensInherited: 51,
      divergedAtCall: 2,
    });
    expect(fixture.ledger.usage(id).roles[0]).toMatchObject({ charged: 51 + 52 + 53 + 61 });
  });

  it('of a third epoch come from whichever earlier one answered them', () => {
    for (const call of [1, 2, 3]) spend(fixture.ledger, claim('a', call), answered(50, call));
    fixture.ledger.openLease(leaseRequest('a', { epoch: 2 }));
    fixture.ledger.standing(claim('a', 1, { epoch: 2 }));
    fixture.ledger.openLease(leaseRequest('a', { epoch: 3 }));
    for (const call of [1, 2, 3])
      expect(fixture.ledger.standing(claim('a', call, { epoch: 3 }))).toMatchObject({ replayed: true });
    expect(fixture.ledger.standing(claim('a', 4, { epoch: 3 }))).toEqual({ kind: 'open' });
    expect(fixture.ledger.leaseUsage(claim('a', 1, { epoch: 3 }))).toMatchObject({ replayed: 3, divergedAtCall: null });
  });

  it('answered from the record count against the limits as they did when paid, retries included', () => {
    spend(fixture.ledger, claim('a', 1), {
      kind: 'rejected',
      fault: 'infrastructure',
      code: 'c',
      detail: '',
      answer: null,
    });
    spend(fixture.ledger, claim('a', 1), answered(900, 100));
    spend(fixture.ledger, claim('a', 2), answered(900, 100));
    fixture.ledger.openLease(leaseRequest('a', { epoch: 2, limits: { calls: 2, tokens: 50_000 } }));
    expect(fixture.ledger.standing(claim('a', 1, { epoch: 2 }))).toMatchObject({ kind: 'recorded' });
    expect(fixture.ledger.standing(claim('a', 2, { epoch: 2 }))).toEqual({
      kind: 'limit',
      limit: 'calls',
      used: 2,
      allowed: 2,
    });
    expect(fixture.ledger.reserve(reservation(claim('a', 2, { epoch: 2 })))).toMatchObject({
      kind: 'refused',
      limit: 'calls',
    });
  });
});
