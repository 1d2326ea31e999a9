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
}

export interface Balances {
  readonly bookReserved: (key: BalanceKey, tokens: number) => void;
  readonly bookEnd: (key: BalanceKey, end: BookedEnd) => void;
}

/** Running totals per arm and role. Call only inside the transaction that changes the row they count. */
export function createBalances(database: LedgerDatabase): Balances {
  const reserve = database.prepare(
    `INSERT INTO balance VALUES (?, ?, ?, 1, 0, 0, 0, 0, 0, ?)
     ON CONFLICT DO UPDATE SET row_count = row_count + 1, reserved = reserved + excluded.reserved`,
  );
  const end = database.prepare(
    `UPDATE balance SET reserved = reserved - ?, charged = charged + ?, reported = reported + ?,
       rejected_rows = rejected_rows + ?, unknown_rows = unknown_rows + ?, unknown_charged = unknown_charged + ?
     WHERE experiment = ? AND arm = ? AND role = ?`,
  );
  return {
    bookReserved: ({ experiment, arm, role }, tokens) => {
      reserve.run([experiment, arm, role, tokens]);
    },
    bookEnd: ({ experiment, arm, role }, { state, reserved, reported, charged }) => {
      const rejected = state === 'rejected' ? 1 : 0;
      const unknown = state === 'unknown' ? 1 : 0;
      end.run([reserved, charged, reported ?? 0, rejected, unknown, unknown * charged, experiment, arm, role]);
    },
  };
}
