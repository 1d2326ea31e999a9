import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LastAudit } from '../../schema/last-audit.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { Report } from '../../schema/report.ts';
import { countText } from '../layout/number-text.ts';
import { recordsDigest } from './records-digest.ts';

/** Name of the file within an experiment's folder. */
export const lastAuditFile = 'audit.json';

/** How an experiment's last audit came out, by the file in its folder; null before the first one, or when it cannot be read. */
export function readLastAudit(folder: string): LastAudit | null {
  try {
    return LastAudit.parse(JSON.parse(readFileSync(join(folder, lastAuditFile), 'utf8')));
  } catch {
    return null;
  }
}

/** What a report over these records may say of its audit: only a clean one of the very same records counts. */
export function auditStanding(audit: LastAudit | null, records: readonly ExperimentRecord[]): Report['audit'] {
  if (audit === null) return { kind: 'unaudited' };
  const { at, checks, failed, records: covered } = audit;
  if (failed > 0) return { kind: 'failed', at, checks, failed };
  return covered.count === records.length && covered.digest === recordsDigest(records)
    ? { kind: 'audited', at, checks, records: covered }
    : { kind: 'unaudited-since', at };
}

/** One line: whether the report's numbers were audited, when, and over which records. */
export function auditLine({ audit, experiment }: Pick<Report, 'audit' | 'experiment'>): string {
  const command = `anneal audit ${experiment}`;
  switch (audit.kind) {
    case 'unaudited':
      return `unaudited: ${command} checks these numbers against the records`;
    case 'unaudited-since':
      return `unaudited since ${minuteOf(audit.at)}: the records have changed, ${command} checks them again`;
    case 'failed':
      return `unaudited: ${audit.failed} of ${countText(audit.checks, 'check')} failed on ${minuteOf(audit.at)}, ${command} names them`;
    case 'audited':
      return `audited ${minuteOf(audit.at)}: ${countText(audit.checks, 'check')} ok over ${countText(audit.records.count, 'record')} sha256:${audit.records.digest.slice(0, 12)}…`;
  }
}

function minuteOf(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}
