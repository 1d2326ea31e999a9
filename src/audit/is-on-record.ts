import type { RevisionRecord } from '../schema/record.ts';
import { recordsOfKind, type AuditSources } from './audit-sources.ts';

/** Whether a revision is on record as the candidate of an arm; candidate 0 is H0, which all arms share. */
export function isOnRecord(
  sources: AuditSources,
  {
    arm,
    candidate,
    revision,
    commit,
  }: Pick<RevisionRecord, 'arm' | 'candidate' | 'revision'> & { readonly commit?: string },
): boolean {
  return recordsOfKind(sources, 'revision').some(
    (record) =>
      record.revision === revision &&
      record.candidate === candidate &&
      (candidate === 0 || record.arm === arm) &&
      (commit === undefined || record.commit === commit),
  );
}
