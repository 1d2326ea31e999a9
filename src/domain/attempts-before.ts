import type { ExperimentRecord } from '../schema/record.ts';
import { canonicalAttempts, type CanonicalAttempts } from './canonical-attempts.ts';

/**
 * The attempts that stood when one of the records was written: what was judged again afterwards has no part in a number that
 * was disclosed by then. Expects the records in the ledger's order, and the record among them.
 */
export function attemptsBefore(records: readonly ExperimentRecord[], record: ExperimentRecord): CanonicalAttempts {
  return canonicalAttempts(records.slice(0, records.indexOf(record)));
}
