import { canonicalJson } from '../domain/canonical-json.ts';
import type { EpochRow } from '../contract/ledger-reader.ts';
import type { CallRow } from '../schema/call-row.ts';
import type { AttemptRecord } from '../schema/record.ts';
import { attemptName } from './attempt-name.ts';
import { isComplete, recordsOfKind, storedRecordsOf, type AuditSources } from './audit-sources.ts';

const figures = [
  'calls',
  'retries',
  'replayed',
  'tokensReported',
  'tokensCharged',
  'tokensInherited',
  'microUsdCharged',
] as const;

/** Every attempt on record has its lease and the figures of its rows, and every lease that had to leave a record has one. */
export function attemptFaults(sources: AuditSources, calls: readonly CallRow[]): string[] {
  const leases = sources.ledger.epochs(sources.lock.id);
  const known = new Set(leases.map(nameOfEpoch));
  const rows = new Map<string, CallRow[]>();
  for (const row of calls) rows.set(nameOfEpoch(row), [...(rows.get(nameOfEpoch(row)) ?? []), row]);
  return [
    ...recordsOfKind(sources, 'attempt').flatMap((attempt) =>
      known.has(nameOfRecord(attempt))
        ? figureFaults(sources, attempt, rows.get(nameOfRecord(attempt)) ?? [])
        : [`${attemptName(attempt)} has no lease in the ledger`],
    ),
    ...unrecorded(sources, leases).map(
      ({ attemptKey, epoch }) => `the lease of ${attemptKey.slice(0, 12)}#${epoch} has no attempt on record`,
    ),
  ];
}

/** A request that was under way when the attempt was recorded may have ended since: then the rows may tell more. */
function figureFaults(sources: AuditSources, attempt: AttemptRecord, rows: readonly CallRow[]): string[] {
  const { key, epoch, usage } = attempt;
  const counted = sources.ledger.usageOf({ attemptKey: key, epoch });
  const at = Date.parse(attempt.at);
  const late = rows.some(({ reservedAt, settledAt }) => reservedAt <= at && (settledAt === null || settledAt > at));
  const name = attemptName(attempt);
  const differs = (stated: number, found: number): boolean => (late ? found < stated : found !== stated);
  return [
    ...figures.flatMap((figure) => {
      const [stated, found] = [usage[figure], counted[figure]];
      return stated !== undefined && found !== undefined && differs(stated, found)
        ? [`${name}: its record says ${stated} ${figure}, the rows ${found}`]
        : [];
    }),
    ...(counted.unknownRows < usage.unknownRows
      ? [`${name}: its record says ${usage.unknownRows} unknownRows, the rows ${counted.unknownRows}`]
      : []),
    ...(canonicalJson(counted.limitHit) === canonicalJson(usage.limitHit)
      ? []
      : [
          `${name}: its record says that it hit ${usage.limitHit ?? 'no limit'}, its lease ${counted.limitHit ?? 'none'}`,
        ]),
    ...usage.servedModels
      .filter((model) => !counted.servedModels.includes(model))
      .map((model) => `${name}: its record says that ${model} answered, no row does`),
    ...(late ? [] : counted.servedModels)
      .filter((model) => !usage.servedModels.includes(model))
      .map((model) => `${name}: ${model} answered, its record does not say so`),
  ];
}

/** The next epoch of an attempt begins once the one before is on record; a complete experiment ended every final. */
function unrecorded(sources: AuditSources, leases: readonly EpochRow[]): EpochRow[] {
  const stored = storedRecordsOf(sources);
  const recorded = new Set(stored.flatMap((record) => (record.kind === 'attempt' ? [nameOfRecord(record)] : [])));
  const complete = isComplete(sources);
  const own = leases.filter(({ role }) => role === 'solver');
  const newest = new Map(own.map(({ attemptKey, epoch }) => [attemptKey, epoch]));
  return own.filter(
    (lease) =>
      !recorded.has(nameOfEpoch(lease)) &&
      (lease.epoch < (newest.get(lease.attemptKey) ?? 0) || (complete && lease.share === 'final')),
  );
}

function nameOfEpoch({ attemptKey, epoch }: { readonly attemptKey: string; readonly epoch: number }): string {
  return `${attemptKey}#${epoch}`;
}

function nameOfRecord({ key, epoch }: AttemptRecord): string {
  return nameOfEpoch({ attemptKey: key, epoch });
}
