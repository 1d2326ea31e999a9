import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CallEnd } from '../../src/contract/ledger-port.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import { EXPERIMENT, leaseRequest } from '../support/gateway-fixture.ts';
import { answered, claim, openLedgerFixture, reservation } from '../support/ledger-fixture.ts';

const id = ExperimentId.parse(EXPERIMENT);
const LIMITS = { calls: 12, tokens: 9000 };
const BUDGET = 20_000;

/** What a provider bills for one request, and what of it the gateway gets to know. */
type Fate =
  | { readonly kind: 'told'; readonly billed: number }
  | { readonly kind: 'untold'; readonly billed: number }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'lost'; readonly billed: number }
  | { readonly kind: 'crash'; readonly billed: number }
  | { readonly kind: 'settled-twice'; readonly billed: number };

/** A provider never bills more than prompt and output cap. */
const billed = fc.integer({ min: 1, max: 1100 });
const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({ kind: fc.constant('told' as const), billed }),
  fc.record({ kind: fc.constant('untold' as const), billed }),
  fc.constant({ kind: 'rejected' as const }),
  fc.record({ kind: fc.constant('lost' as const), billed }),
  fc.record({ kind: fc.constant('crash' as const), billed }),
  fc.record({ kind: fc.constant('settled-twice' as const), billed }),
);

function endOf(of: Fate): CallEnd | null {
  switch (of.kind) {
    case 'told':
    case 'settled-twice':
      return answered(of.billed - 1, 1);
    case 'untold':
      return { ...(answered(1, 1) as Extract<CallEnd, { kind: 'answered' }>), usage: null };
    case 'rejected':
      return { kind: 'rejected', fault: 'infrastructure', code: 'rate_limited', detail: '', answer: null };
    case 'lost':
      return { kind: 'unknown', fault: 'infrastructure', code: 'timeout', detail: '' };
    case 'crash':
      return null;
  }
}

it('sums never fall below the bill, never pass limit or budget at a reservation, and always equal their rows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ attempt: fc.constantFrom('a', 'b', 'c'), fate }), { maxLength: 40 }),
      (requests) => {
        const fixture = openLedgerFixture({ budgets: { solver: BUDGET, updater: 0, judge: null } });
        try {
          const bill = { all: 0, a: 0, b: 0, c: 0 };
          const calls = { a: 1, b: 1, c: 1 };
          for (const key of ['a', 'b', 'c'] as const) fixture.ledger.openLease(leaseRequest(key, { limits: LIMITS }));
          for (const { attempt, fate: of } of requests as { attempt: 'a' | 'b' | 'c'; fate: Fate }[]) {
            const call = claim(attempt, calls[attempt]);
            const before = fixture.ledger.usage(id).roles[0];
            const reserved = fixture.ledger.reserve(reservation(call));
            const held = (before?.charged ?? 0) + (before?.reserved ?? 0);
            if (reserved.kind !== 'reserved') continue;
            expect(held + reserved.tokens).toBeLessThanOrEqual(BUDGET);
            const cost = Math.min('billed' in of ? of.billed : 0, reserved.tokens);
            bill.all += cost;
            bill[attempt] += cost;
            const end = endOf(of.kind === 'rejected' ? of : { ...of, billed: Math.max(1, cost) });
            if (end === null) {
              fixture.reopen().reconcile();
            } else {
              fixture.ledger.settle({ ...call, retryIndex: reserved.retryIndex }, end);
              if (of.kind === 'settled-twice') fixture.ledger.settle({ ...call, retryIndex: reserved.retryIndex }, end);
            }
            if (end?.kind === 'answered') calls[attempt] += 1;
          }
          const total = fixture.ledger.usage(id).roles[0];
          expect(total?.charged ?? 0).toBeGreaterThanOrEqual(bill.all);
          expect(total?.reported ?? 0).toBeLessThanOrEqual(total?.charged ?? 0);
          expect(total?.reserved ?? 0).toBe(0);
          for (const key of ['a', 'b', 'c'] as const) {
            const usage = fixture.ledger.leaseUsage(claim(key, 1));
            expect(usage.tokensCharged).toBeGreaterThanOrEqual(bill[key]);
            expect(usage.tokensCharged).toBeLessThanOrEqual(LIMITS.tokens);
            expect(usage.calls + usage.retries).toBeLessThanOrEqual(LIMITS.calls);
          }
          const audit = fixture.ledger.audit(id);
          expect(audit).toMatchObject({ unsettled: 0, mismatches: [], charged: total?.charged ?? 0 });
        } finally {
          fixture.close();
        }
      },
    ),
    { numRuns: 40 },
  );
});
