import { z } from 'zod';
import type { LedgerPort } from '../../contract/ledger-port.ts';
import type { CapUsage } from '../../schema/gateway.ts';
import { ArmName } from '../../schema/ids.ts';
import { Role } from '../../schema/lease.ts';
import { CALL_COLUMNS, parseCallRows } from './call-rows.ts';
import type { LedgerDatabase } from './open-database.ts';

const Parts = { cacheRead: z.number(), cacheWrite: z.number(), reasoning: z.number() };

const BalanceRow = z.object({
  arm: ArmName,
  role: Role,
  row_count: z.number(),
  rejected_rows: z.number(),
  unknown_rows: z.number(),
  reported: z.number(),
  charged: z.number(),
  unknown_charged: z.number(),
  reserved: z.number(),
  micro_usd: z.number(),
  micro_usd_reserved: z.number(),
  unpriced_rows: z.number(),
});
type BalanceRow = z.infer<typeof BalanceRow>;

/** The same columns, from the call rows themselves. */
const RECOUNT = `
  SELECT a.arm, a.role, count(*) AS row_count, sum(c.state = 'rejected') AS rejected_rows,
    sum(c.state = 'unknown') AS unknown_rows, coalesce(sum(c.reported_input + c.reported_output), 0) AS reported,
    coalesce(sum(c.charged), 0) AS charged, sum(iif(c.state = 'unknown', c.charged, 0)) AS unknown_charged,
    sum(iif(c.state = 'reserved', c.reserved, 0)) AS reserved, coalesce(sum(c.micro_usd_charged), 0) AS micro_usd,
    coalesce(sum(iif(c.state = 'reserved', c.micro_usd_reserved, 0)), 0) AS micro_usd_reserved,
    sum(c.state <> 'reserved' AND c.micro_usd_charged IS NULL) AS unpriced_rows
  FROM call c JOIN attempt a ON a.key = c.attempt_key WHERE a.experiment = ? GROUP BY a.arm, a.role`;

/** Sums over an experiment, all arms, roles and epochs. */
export function createUsage(
  database: LedgerDatabase,
  budgetLimit: LedgerPort['budgetLimit'],
  caps: (experiment: string) => CapUsage[],
  halts: LedgerPort['halts'],
): Pick<LedgerPort, 'usage' | 'listCalls' | 'audit'> {
  const balances = database.prepare('SELECT * FROM balance WHERE experiment = ? ORDER BY arm, role');
  const recount = database.prepare(RECOUNT);
  const ofExperiment = `FROM attempt a CROSS JOIN call c ON c.attempt_key = a.key WHERE a.experiment = ?`;
  const unknown = database.prepare(
    `SELECT ${CALL_COLUMNS} ${ofExperiment} AND c.state = 'unknown' ORDER BY c.reserved_at`,
  );
  const page = database.prepare(
    `SELECT ${CALL_COLUMNS} ${ofExperiment} AND (c.attempt_key, c.epoch, c.seq, c.retry_index) > (?, ?, ?, ?)
     ORDER BY c.attempt_key, c.epoch, c.seq, c.retry_index LIMIT ?`,
  );
  const served = database.prepare(
    `SELECT a.role, c.served_model AS served, count(*) AS rows, coalesce(sum(c.cache_read), 0) AS cacheRead,
      coalesce(sum(c.cache_write), 0) AS cacheWrite, coalesce(sum(c.reasoning), 0) AS reasoning ${ofExperiment} AND c.served_model IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const queries = database.prepare(
    "SELECT arm, sum(state <> 'released') AS used FROM selection_query WHERE experiment = ? GROUP BY arm ORDER BY arm",
  );

  return {
    usage: (id) => ({
      roles: BalanceRow.array()
        .parse(balances.all([id]))
        .map((row) => {
          const limit = budgetLimit(id, row.arm, row.role);
          return {
            arm: row.arm,
            role: row.role,
            rows: row.row_count,
            rejectedRows: row.rejected_rows,
            unknownRows: row.unknown_rows,
            reported: row.reported,
            charged: row.charged,
            unknownCharged: row.unknown_charged,
            reserved: row.reserved,
            limit,
            left: limit === null ? null : Math.max(0, limit - row.charged - row.reserved),
            microUsd: row.micro_usd,
            microUsdReserved: row.micro_usd_reserved,
            unpricedRows: row.unpriced_rows,
          };
        }),
      caps: caps(id),
      queries: z
        .object({ arm: ArmName, used: z.number() })
        .array()
        .parse(queries.all([id]))
        .map((row) => ({ ...row, cap: budgetLimit(id, row.arm, 'queries') ?? 0 })),
      unknown: parseCallRows(unknown.all([id])),
      servedModels: z
        .object({ role: Role, served: z.string(), rows: z.number(), ...Parts })
        .array()
        .parse(served.all([id])),
      halted: [...halts(id)],
    }),
    listCalls: (id, after, limit) =>
      parseCallRows(
        page.all([id, after?.attemptKey ?? '', after?.epoch ?? 0, after?.call ?? 0, after?.retryIndex ?? 0, limit]),
      ),
    audit: (id) => {
      const kept = BalanceRow.array().parse(balances.all([id]));
      const counted = BalanceRow.array().parse(recount.all([id]));
      return {
        rows: sum(counted, 'row_count'),
        unsettled: counted.filter((row) => row.reserved > 0).length,
        reported: sum(counted, 'reported'),
        charged: sum(counted, 'charged'),
        mismatches: differences(kept, counted),
      };
    },
  };
}

type Figure = Exclude<keyof BalanceRow, 'arm' | 'role'>;

function sum(rows: readonly BalanceRow[], figure: Figure): number {
  return rows.reduce((total, row) => total + row[figure], 0);
}

/** Every total against its rows; of either side nothing may be missing. */
function differences(kept: readonly BalanceRow[], counted: readonly BalanceRow[]): string[] {
  const figures = Object.keys(BalanceRow.shape).filter((name): name is Figure => name !== 'arm' && name !== 'role');
  const pairs = new Map<string, { total?: BalanceRow; rows?: BalanceRow }>();
  for (const total of kept) pairs.set(`${total.arm} ${total.role}`, { total });
  for (const rows of counted) {
    const name = `${rows.arm} ${rows.role}`;
    pairs.set(name, { ...pairs.get(name), rows });
  }
  return [...pairs].flatMap(([name, { total, rows }]) =>
    total === undefined
      ? [`${name}: its total is missing, rows ${rows?.row_count ?? 0}`]
      : figures
          .filter((figure) => total[figure] !== (rows?.[figure] ?? 0))
          .map((figure) => `${name} ${figure}: total ${total[figure]}, rows ${rows?.[figure] ?? 0}`),
  );
}
