import type { LedgerDatabase } from './open-database.ts';

interface BalanceKey {
  readonly experiment: string;
  readonly arm: string;
  readonly role: string;
}

/** The end of one request attempt as its totals see it; tokens. */
interface BookedEnd {
  readonly state: 'settled' | 'unknown' | 'rejected';
  readonly reserved: number;
  readonly reported: number | null;
  readonly charged: number;
  /** Millionths of a dollar; both null where the price was not known. */
  readonly microUsdReserved: number | null;
  readonly microUsdCharged: number | null;
}

/**
 * Books the two ends of a request attempt: its row first, then what it came to. Amounts in millionths of a dollar are
 * null without a price.
 */
export interface Balances {
  readonly bookReserved: (key: BalanceKey, tokens: number, microUsd: number | null) => void;
  readonly bookEnd: (key: BalanceKey, end: BookedEnd) => void;
}

/** Running totals per arm and role. Call only inside the transaction that changes the row they count. */
export function createBalances(database: LedgerDatabase): Balances {
  const reserve = database.prepare(
    `INSERT INTO balance VALUES (?, ?, ?, 1, 0, 0, 0, 0, 0, ?, 0, ?, 0)
     ON CONFLICT DO UPDATE SET row_count = row_count + 1, reserved = reserved + excluded.reserved,
       micro_usd_reserved = micro_usd_reserved + excluded.micro_usd_reserved`,
  );
  const end = database.prepare(
    `UPDATE balance SET reserved = reserved - ?, charged = charged + ?, reported = reported + ?,
       rejected_rows = rejected_rows + ?, unknown_rows = unknown_rows + ?, unknown_charged = unknown_charged + ?,
       micro_usd_reserved = micro_usd_reserved - ?, micro_usd = micro_usd + ?, unpriced_rows = unpriced_rows + ?
     WHERE experiment = ? AND arm = ? AND role = ?`,
  );
  return {
    bookReserved: ({ experiment, arm, role }, tokens, microUsd) => {
      reserve.run([experiment, arm, role, tokens, microUsd ?? 0]);
    },
    bookEnd: ({ experiment, arm, role }, bookedEnd) => {
      const { state, reserved, reported, charged, microUsdReserved, microUsdCharged } = bookedEnd;
      const rejected = state === 'rejected' ? 1 : 0;
      const unknown = state === 'unknown' ? 1 : 0;
      const unpriced = microUsdCharged === null ? 1 : 0;
      const tokens = [reserved, charged, reported ?? 0, rejected, unknown, unknown * charged];
      end.run([...tokens, microUsdReserved ?? 0, microUsdCharged ?? 0, unpriced, experiment, arm, role]);
    },
  };
}
