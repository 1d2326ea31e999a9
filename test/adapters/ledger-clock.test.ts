import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExperimentId } from '../../src/schema/ids.ts';
import { EXPERIMENT, leaseRequest } from '../support/gateway-fixture.ts';
import { type LedgerFixture, claim, openLedgerFixture, spend } from '../support/ledger-fixture.ts';

const id = ExperimentId.parse(EXPERIMENT);
let fixture: LedgerFixture;

beforeEach(() => {
  fixture = openLedgerFixture();
});

afterEach(() => fixture.close());

describe('a clock that is set back', () => {
  it('takes no wall time away from an attempt, and gives none', () => {
    fixture.ledger.openLease(leaseRequest('a'));
    spend(fixture.ledger, claim('a', 1));
    fixture.ledger.reportElapsed({ ...claim('a', 1), lease: 1 }, 5_000);
    fixture.clock.now -= 3_600_000;
    spend(fixture.ledger, claim('a', 2));
    const next = fixture.ledger.openLease(leaseRequest('a', { epoch: 2 }));
    expect(next.elapsedMs).toBe(5_000);
    expect(fixture.ledger.leaseUsage(claim('a', 1)).waitedMs).toBe(0);
  });

  it('makes no outage of the time that seems to be missing', () => {
    fixture.ledger.openLease(leaseRequest('a'));
    fixture.ledger.beat();
    fixture.clock.now -= 3_600_000;
    expect(fixture.reopen().accountOutage()).toBe(0);
    expect(fixture.ledger.leaseUsage(claim('a', 1)).waitedMs).toBe(0);
  });

  it('keeps every total equal to its rows', () => {
    fixture.ledger.openLease(leaseRequest('a'));
    spend(fixture.ledger, claim('a', 1));
    fixture.clock.now -= 3_600_000;
    spend(fixture.ledger, claim('a', 2));
    expect(fixture.ledger.audit(id)).toMatchObject({ rows: 2, unsettled: 0, mismatches: [] });
  });
});
