import { expect, test } from 'vitest';
import { openLedgerReader } from '../../src/adapters/ledger-reader.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import { EXPERIMENT, leaseRequest } from '../support/gateway-fixture.ts';
import { claim, openLedgerFixture, spend } from '../support/ledger-fixture.ts';

const id = ExperimentId.parse(EXPERIMENT);

test('a reader that stands still sees leases and calls of one moment, while others are written; another one sees them', () => {
  const fixture = openLedgerFixture();
  const seen = (reader: ReturnType<typeof openLedgerReader>): readonly number[] => [
    reader.epochs(id).length,
    [...reader.calls(id)].length,
    reader.audit(id).mismatches.length,
  ];
  try {
    fixture.ledger.openLease(leaseRequest('a'));
    spend(fixture.ledger, claim('a', 1));
    const still = openLedgerReader(fixture.path);
    still.standStill();
    fixture.ledger.openLease(leaseRequest('b'));
    spend(fixture.ledger, claim('b', 1));
    const other = openLedgerReader(fixture.path);
    expect([seen(still), seen(other)]).toEqual([
      [1, 1, 0],
      [2, 2, 0],
    ]);
    still.close();
    other.close();
  } finally {
    fixture.close();
  }
});
