import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { Sha256 } from '../../schema/ids.ts';

/** A digest over an experiment's records, in whatever order they were read. */
export function recordsDigest(records: readonly ExperimentRecord[]): Sha256 {
  const hash = createHash('sha256');
  for (const line of records.map((record) => canonicalJson(record)).toSorted()) hash.update(line).update('\n');
  return hash.digest('hex') as Sha256;
}
