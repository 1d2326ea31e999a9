import type { ExperimentRecord, AttemptRecord } from '../src/schema/record.ts';

/**
 * The canonical record of each attempt key: the first that is not infrastructure, else the latest infrastructure failure.
 * Later ones are kept in the records and never replace it.
 */
export function canonicalAttempts(records: readonly ExperimentRecord[]): Map<string, AttemptRecord> {
  const canonical = new Map<string, AttemptRecord>();
  for (const record of records) {
    if (record.kind !== 'attempt') continue;
    const earlier = canonical.get(record.key);
    if (earlier === undefined || earlier.outcome.kind === 'unscored_infra') canonical.set(record.key, record);
  }
  return canonical;
}
