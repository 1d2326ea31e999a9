import type { ArmName } from '../../schema/ids.ts';
import type { ExperimentRecord, UsageRecord } from '../../schema/record.ts';
import type { RoleTokens, RoleTotal, TokenCount } from '../../schema/report.ts';

const roles = ['solver', 'updater', 'judge'] as const;

/** Ledger totals as last recorded, by arm and role. */
export interface TokenTotals {
  /** null before any total was recorded. */
  readonly byRole: readonly RoleTotal[] | null;
  ofArm(arm: ArmName): RoleTokens;
}

/** Usage records are cumulative: of each arm and role the last one holds. A role without a row spent nothing. */
export function tokenTotals(records: readonly ExperimentRecord[]): TokenTotals {
  const latest = new Map<string, UsageRecord>();
  for (const record of records) {
    if (record.kind === 'usage') latest.set(`${record.arm} ${record.role}`, record);
  }
  const rows = [...latest.values()];
  const known = rows.length > 0;
  const countOf = (arm: ArmName, role: (typeof roles)[number]): TokenCount => {
    if (!known) return { reported: null, charged: null };
    const row = latest.get(`${arm} ${role}`);
    return { reported: row?.reported ?? 0, charged: row?.charged ?? 0 };
  };
  return {
    byRole: known ? roles.map((role) => totalOf(role, rows)) : null,
    ofArm: (arm) => ({
      solver: countOf(arm, 'solver'),
      updater: countOf(arm, 'updater'),
      judge: countOf(arm, 'judge'),
    }),
  };
}

function totalOf(role: RoleTotal['role'], rows: readonly UsageRecord[]): RoleTotal {
  const total: RoleTotal = {
    role,
    calls: 0,
    reported: 0,
    charged: 0,
    unknownRows: 0,
    unknownCharged: 0,
    microUsd: rows.every(({ microUsd }) => microUsd !== undefined) ? 0 : null,
    unpricedCalls: 0,
  };
  for (const row of rows) {
    if (row.role !== role) continue;
    total.calls += row.calls;
    total.reported += row.reported;
    total.charged += row.charged;
    total.unknownRows += row.unknownRows;
    total.unknownCharged += row.unknownCharged;
    if (total.microUsd !== null) total.microUsd += row.microUsd ?? 0;
    total.unpricedCalls += row.unpricedCalls ?? 0;
  }
  return total;
}
