import { canonicalJson } from '../domain/canonical-json.ts';
import { codeUnitOrder } from '../domain/code-unit-order.ts';
import type { CallRow } from '../schema/call-row.ts';
import type { Role } from '../schema/lease.ts';
import type { UsageRecord } from '../schema/record.ts';
import { isClosed, recordsOfKind, type AuditSources } from './audit-sources.ts';

const figures = ['calls', 'reported', 'charged', 'unknownRows', 'unknownCharged', 'microUsd', 'unpricedCalls'] as const;
type Counted = Record<(typeof figures)[number], number>;
type Served = NonNullable<UsageRecord['served']>[number];

const nothing: Counted = {
  calls: 0,
  reported: 0,
  charged: 0,
  unknownRows: 0,
  unknownCharged: 0,
  microUsd: 0,
  unpricedCalls: 0,
};

/** A row with the arm that its attempt was made for. */
interface OwnedRow {
  readonly name: string;
  readonly role: Role;
  readonly row: CallRow;
}

/**
 * The last total on record of each arm and role against the rows as they stood then, figure by figure, and the models that
 * served the role; `calls` are all rows of the experiment. Nothing is compared before any total was recorded; figures that older records lack are left out.
 */
export function usageFaults(sources: AuditSources, calls: readonly CallRow[]): string[] {
  const latest = new Map<string, UsageRecord>();
  for (const record of recordsOfKind(sources, 'usage')) latest.set(`${record.arm} ${record.role}`, record);
  if (latest.size === 0) {
    return isClosed(sources) && calls.length > 0 ? [`no total of its ${calls.length} calls is on record`] : [];
  }
  const rows = ownedRows(sources, calls);
  const closedAt = Math.max(...[...latest.values()].map(({ at }) => Date.parse(at)));
  return [...new Set([...latest.keys(), ...rows.map(({ name }) => name)])].flatMap((name) => {
    const record = latest.get(name);
    const at = record === undefined ? closedAt : Date.parse(record.at);
    const counted = rows.filter((each) => each.name === name).reduce((sum, { row }) => added(sum, row, at), nothing);
    const stated: { readonly [Figure in keyof Counted]?: number | undefined } = record ?? nothing;
    const faults = figures.flatMap((figure) =>
      stated[figure] === undefined || stated[figure] === counted[figure]
        ? []
        : [`${name}: ${stated[figure]} ${figure} on record, ${counted[figure]} in the rows`],
    );
    return [
      ...faults,
      ...(record === undefined ? [] : [...servedFaults(name, record, rows), ...laterFaults(name, at, rows)]),
    ];
  });
}

function ownedRows({ ledger, lock }: AuditSources, calls: readonly CallRow[]): OwnedRow[] {
  const names = new Map(ledger.epochs(lock.id).map(({ attemptKey, arm, role }) => [attemptKey, `${arm} ${role}`]));
  return calls.map((row) => ({ name: names.get(row.attemptKey) ?? 'nobody', role: row.role, row }));
}

/** A request that was not over when the total was recorded stands on record at its bound. */
function added(sum: Counted, row: CallRow, at: number): Counted {
  if (row.reservedAt > at) return sum;
  const open = isOpen(row, at);
  const charged = open ? row.reserved : (row.charged ?? 0);
  const unknown = !open && row.state === 'unknown';
  const reported = open || row.reportedInput === null ? 0 : row.reportedInput + (row.reportedOutput ?? 0);
  return {
    calls: sum.calls + 1,
    reported: sum.reported + reported,
    charged: sum.charged + charged,
    unknownRows: sum.unknownRows + (unknown ? 1 : 0),
    unknownCharged: sum.unknownCharged + (open || unknown ? charged : 0),
    microUsd: sum.microUsd + ((open ? row.reservedMicroUsd : row.chargedMicroUsd) ?? 0),
    unpricedCalls: sum.unpricedCalls + (!open && row.chargedMicroUsd === null ? 1 : 0),
  };
}

/** Totals are recorded once nothing is sent any more: a call that began later was left out of them, whatever their time says. */
function laterFaults(name: string, at: number, rows: readonly OwnedRow[]): string[] {
  const later = rows.filter((each) => each.name === name && each.row.reservedAt > at).length;
  return later === 0 ? [] : [`${name}: ${later} calls began after their total was recorded`];
}

function isOpen({ settledAt }: CallRow, at: number): boolean {
  return settledAt === null || settledAt > at;
}

function servedFaults(name: string, { at, role, served }: UsageRecord, rows: readonly OwnedRow[]): string[] {
  if (served === undefined) return [];
  const counted = new Map<string, Served>();
  for (const { row } of rows.filter((each) => each.role === role && !isOpen(each.row, Date.parse(at)))) {
    if (row.servedModel === null) continue;
    const sum = counted.get(row.servedModel);
    counted.set(row.servedModel, {
      model: row.servedModel,
      calls: (sum?.calls ?? 0) + 1,
      cacheRead: (sum?.cacheRead ?? 0) + (row.cacheRead ?? 0),
      cacheWrite: (sum?.cacheWrite ?? 0) + (row.cacheWrite ?? 0),
      reasoning: (sum?.reasoning ?? 0) + (row.reasoning ?? 0),
    });
  }
  const [stated, found] = [served, [...counted.values()]].map((models) =>
    canonicalJson(models.toSorted((left, right) => codeUnitOrder(left.model, right.model))),
  );
  return stated === found ? [] : [`${name}: served by ${stated} on record, by ${found} in the rows`];
}
