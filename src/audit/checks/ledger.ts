import { tokensText } from '../../report/number-text.ts';
import { experimentRegistration } from '../../schema/experiment-registration.ts';
import type { CallRow } from '../../schema/call-row.ts';
import type { UsageRecord } from '../../schema/record.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, recordsOfKind, type AuditSources } from '../audit-sources.ts';

/** Every request attempt is accounted for: one end each, none missing, totals and records agree with the rows. */
export const ledgerCheck: AuditCheck = {
  name: 'ledger',
  run: (sources) => {
    const { lock, ledger } = sources;
    const { rows, reported, charged, mismatches } = ledger.audit(lock.id);
    const faults = [
      ...mismatches.map((mismatch) => `stored total differs from its rows: ${mismatch}`),
      ...limitFaults(sources),
      ...rowFaults(sources),
      ...attemptFaults(sources),
      ...totalFaults(sources),
    ];
    const state = isClosed(sources) ? ', none unsettled' : '';
    return judge(
      faults,
      `${rows} rows${state}; reported ${tokensText(reported)} ≤ charged ${tokensText(charged)}; totals match rows, attempts and records`,
      'restore ledger.db from a copy; until then claim no number of tokens',
    );
  },
};

/** What the gateway held the experiment to is what was frozen. */
function limitFaults({ lock, ledger }: AuditSources): string[] {
  const { budgets, queries, caps } = experimentRegistration(lock);
  const frozen = new Map<string, number | null>([...Object.entries(budgets), ['queries', queries]]);
  if (caps?.solverTokens !== undefined && caps.solverTokens !== null) frozen.set('solver-tokens', caps.solverTokens);
  if (caps?.microUsd !== undefined && caps.microUsd !== null) frozen.set('money', caps.microUsd);
  const registered: ReadonlyMap<string, number | null> = ledger.limits(lock.id);
  if (registered.size === 0 && ledger.epochs(lock.id).length === 0) return [];
  return [...new Set([...frozen.keys(), ...registered.keys()])].flatMap((kind) => {
    const [was, is] = [frozen.get(kind), registered.get(kind)];
    return was === is ? [] : [`limit ${kind}: ${limitText(was)} was frozen, the ledger has ${limitText(is)}`];
  });
}

function limitText(limit: number | null | undefined): string {
  return limit === undefined ? 'none at all' : limit === null ? 'no limit' : String(limit);
}

function rowFaults({ lock, ledger, stored }: AuditSources): string[] {
  const faults: string[] = [];
  const closed = isClosed({ stored });
  let before: CallRow | null = null;
  for (const row of ledger.calls(lock.id)) {
    const name = `${row.attemptKey.slice(0, 12)}#${row.epoch} call ${row.call}.${row.retryIndex}`;
    if (row.state === 'reserved' && closed) faults.push(`${name} is unsettled`);
    if (row.charged !== null) faults.push(...chargeFaults(name, row, row.charged));
    const same = before?.attemptKey === row.attemptKey && before.epoch === row.epoch;
    const follows =
      same && before !== null
        ? (row.call === before.call && row.retryIndex === before.retryIndex + 1) ||
          (row.call > before.call && row.retryIndex === 0)
        : row.retryIndex === 0;
    if (!follows) faults.push(`a row before ${name} is missing`);
    before = row;
  }
  return faults;
}

function chargeFaults(name: string, row: CallRow, charged: number): string[] {
  const reported = row.reportedInput === null ? null : row.reportedInput + (row.reportedOutput ?? 0);
  return [
    ...(reported !== null && reported > charged ? [`${name}: ${reported} tokens reported, ${charged} charged`] : []),
    ...(row.state === 'unknown' && charged !== row.reserved
      ? [`${name} is of unknown end and charged ${charged} instead of its ${row.reserved}`]
      : []),
    ...(row.state === 'settled' && reported === null && charged !== row.reserved
      ? [`${name} told no usage and is charged ${charged} instead of its ${row.reserved}`]
      : []),
  ];
}

/** Rows may settle after an attempt's lease was closed, so the rows may tell more than its record, never less. */
function attemptFaults(sources: AuditSources): string[] {
  const epochs = new Set(
    sources.ledger.epochs(sources.lock.id).map(({ attemptKey, epoch }) => `${attemptKey}#${epoch}`),
  );
  return recordsOfKind(sources, 'attempt').flatMap(({ key, epoch, task, usage }) => {
    const name = `${task} ${key.slice(0, 12)}#${epoch}`;
    if (!epochs.has(`${key}#${epoch}`)) return [`${name} has no lease in the ledger`];
    const counted = sources.ledger.usageOf({ attemptKey: key, epoch });
    return (['calls', 'replayed', 'tokensReported', 'tokensCharged', 'tokensInherited'] as const).flatMap((figure) =>
      counted[figure] < usage[figure]
        ? [`${name}: its record says ${usage[figure]} ${figure}, the rows ${counted[figure]}`]
        : [],
    );
  });
}

/** The last total on record of each arm and role against the rows that had ended by then. */
function totalFaults(sources: AuditSources): string[] {
  const latest = new Map<string, UsageRecord>();
  for (const record of recordsOfKind(sources, 'usage')) latest.set(`${record.arm} ${record.role}`, record);
  if (latest.size === 0) return [];
  const { ledger, lock } = sources;
  const roles = new Map(ledger.epochs(lock.id).map(({ attemptKey, arm, role }) => [attemptKey, `${arm} ${role}`]));
  const sums = new Map<string, { calls: number; reported: number; charged: number }>();
  for (const row of ledger.calls(lock.id)) {
    const name = roles.get(row.attemptKey) ?? 'nobody';
    const record = latest.get(name);
    if (record !== undefined && (row.settledAt ?? 0) > Date.parse(record.at)) continue;
    const sum = sums.get(name) ?? { calls: 0, reported: 0, charged: 0 };
    sum.calls += 1;
    sum.reported += (row.reportedInput ?? 0) + (row.reportedOutput ?? 0);
    // A request whose end was not known stands on record at its bound.
    sum.charged += row.charged ?? row.reserved;
    sums.set(name, sum);
  }
  return [...new Set([...latest.keys(), ...sums.keys()])].flatMap((name) => {
    const record = latest.get(name) ?? { calls: 0, reported: 0, charged: 0 };
    const sum = sums.get(name) ?? { calls: 0, reported: 0, charged: 0 };
    return (['calls', 'reported', 'charged'] as const).flatMap((figure) =>
      record[figure] === sum[figure]
        ? []
        : [`${name}: ${record[figure]} ${figure} on record, ${sum[figure]} in the rows`],
    );
  });
}
