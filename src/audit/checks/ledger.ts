import { tokensText } from '../../report/layout/number-text.ts';
import type { BookedCall } from '../../contract/ledger-reader.ts';
import type { CallRow } from '../../schema/call-row.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed } from '../audit-sources.ts';
import { attemptFaults } from '../attempt-faults.ts';
import { callFaults } from '../call-faults.ts';
import { foreignPrices, type PricedCall } from '../foreign-prices.ts';
import { registrationFaults } from '../registration-faults.ts';
import { usageFaults } from '../usage-faults.ts';

/** Every request attempt is accounted for: one end each, none missing, totals and records agree with the rows. */
export const ledgerCheck: AuditCheck = {
  name: 'ledger',
  run: (sources) => {
    const { lock, ledger } = sources;
    const { rows, reported, charged, mismatches } = ledger.audit(lock.id);
    const closed = isClosed(sources);
    const calls = readCalls(ledger.bookedCalls(lock.id), closed);
    const prices = foreignPrices(lock, calls.priced);
    const faults = [
      ...mismatches.map((mismatch) => `stored total differs from its rows: ${mismatch}`),
      ...registrationFaults(sources),
      ...calls.faults,
      ...(closed ? prices.faults : []),
      ...attemptFaults(sources, calls.rows),
      ...usageFaults(sources, calls.rows),
    ];
    const state = closed ? ', none unsettled' : '';
    const earlier = prices.earlier === 0 ? '' : `, ${prices.earlier} at an earlier price`;
    return judge(
      faults,
      `${rows} rows${state}${earlier}; reported ${tokensText(reported)} ≤ charged ${tokensText(charged)}; tokens, money and models match answers and prices, totals match rows, attempts and records`,
      'restore ledger.db from a copy; until then claim no number of tokens and no money',
    );
  },
};

/** Every row by itself and after the one before it; answers are let go of as they were read. */
function readCalls(
  calls: Iterable<BookedCall>,
  closed: boolean,
): {
  readonly faults: readonly string[];
  readonly priced: readonly PricedCall[];
  readonly rows: readonly CallRow[];
} {
  const faults: string[] = [];
  const rows: CallRow[] = [];
  const priced: PricedCall[] = [];
  let before: CallRow | null = null;
  for (const call of calls) {
    const { row, price } = call;
    rows.push(row);
    priced.push({ role: row.role, reservedAt: row.reservedAt, price });
    const name = `${row.attemptKey.slice(0, 12)}#${row.epoch} call ${row.call}.${row.retryIndex}`;
    if (row.state === 'reserved' && closed) faults.push(`${name} is unsettled`);
    faults.push(...callFaults(call).map((fault) => `${name}: ${fault}`));
    const same = before?.attemptKey === row.attemptKey && before.epoch === row.epoch;
    const follows =
      same && before !== null
        ? (row.call === before.call && row.retryIndex === before.retryIndex + 1) ||
          (row.call > before.call && row.retryIndex === 0)
        : row.retryIndex === 0;
    if (!follows) faults.push(`a row before ${name} is missing`);
    before = row;
  }
  return { faults, priced, rows };
}
