import { afterEach, beforeEach, expect, it } from 'vitest';
import { leaseRequest } from '../support/gateway-fixture.ts';
import { answered, claim, openLedgerFixture, reservation } from '../support/ledger-fixture.ts';
import type { LedgerFixture } from '../support/ledger-fixture.ts';

let fixture: LedgerFixture;
beforeEach(() => {
  fixture = openLedgerFixture({ budgets: { solver: 3000, updater: 0, judge: null } });
  for (const key of ['a', 'b', 'c']) fixture.ledger.openLease(leaseRequest(key));
});
afterEach(() => fixture.close());

it('works of one turn see each other: a budget for two admits two of three', async () => {
  const { ledger } = fixture;
  const results = await Promise.all(
    ['a', 'b', 'c'].map(async (key) => ledger.shared(() => ledger.reserve(reservation(claim(key, 1))))),
  );
  expect(results.map((result) => result.kind)).toEqual(['reserved', 'reserved', 'refused']);
});

it('a work that throws is undone alone', async () => {
  const { ledger } = fixture;
  const [kept, undone, alsoKept] = await Promise.allSettled([
    ledger.shared(() => ledger.reserve(reservation(claim('a', 1)))),
    ledger.shared(() => {
      ledger.reserve(reservation(claim('b', 1)));
      throw new Error('after writing');
    }),
    ledger.shared(() => ledger.reserve(reservation(claim('c', 1)))),
  ]);
  expect([kept.status, undone.status, alsoKept.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(ledger.leaseUsage(claim('b', 1)).calls).toBe(0);
  expect(ledger.audit(leaseRequest('a').experimentId)).toMatchObject({ rows: 2, mismatches: [] });
});

it('what is asked for while a batch is written comes in the next one', async () => {
  const { ledger } = fixture;
  const reserved = await ledger.shared(() => ledger.reserve(reservation(claim('a', 1))));
  expect(reserved.kind).toBe('reserved');
  expect(await ledger.shared(() => ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(90, 10)))).toBe(100);
});

it('a batch that finds the ledger closed fails as a whole and leaves nothing', async () => {
  const { ledger } = fixture;
  const asked = ledger.shared(() => ledger.reserve(reservation(claim('a', 1))));
  ledger.close();
  await expect(asked).rejects.toThrow('the ledger is closed');
  expect(fixture.reopen().leaseUsage(claim('a', 1)).calls).toBe(0);
});
