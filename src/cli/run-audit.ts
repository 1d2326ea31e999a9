import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditExperiment, type Audit } from '../audit/audit-experiment.ts';
import { recordsOf, type AuditSources } from '../audit/audit-sources.ts';
import { lastAuditFile } from '../report/numbers/last-audit.ts';
import { recordsDigest } from '../report/numbers/records-digest.ts';
import { writeReportFiles } from '../report/documents/write-report-files.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import { LastAudit } from '../schema/last-audit.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import { experimentDirectory, type ExperimentDirectory } from '../services/data-home/experiment-directory.ts';
import { gatherAuditSources } from '../services/data-home/gather-audit-sources.ts';

/** What keeps a file from being written where an audit may read and not write. */
const readOnly = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Audit one experiment and put on file how it came out, so that its reports say so; records are never touched, and a data
 * home that may not be written to is audited all the same.
 * @throws AnnealError ANL-6001 without a ledger, ANL-2003 for one of another version.
 */
export async function runAudit(home: DataHome, lock: ExperimentLock): Promise<Audit> {
  const sources = await gatherAuditSources(home, lock);
  try {
    const audit = await auditExperiment(sources);
    await mark(experimentDirectory(home, lock.id), sources, audit);
    return audit;
  } finally {
    sources.ledger.close();
  }
}

async function mark(directory: ExperimentDirectory, sources: AuditSources, audit: Audit): Promise<void> {
  const records = recordsOf(sources);
  const last: LastAudit = {
    version: 1,
    experiment: sources.lock.id,
    at: new Date(sources.now).toISOString(),
    engine: sources.engine,
    checks: audit.checks.filter(({ state }) => state !== 'skipped').length,
    failed: audit.failed,
    records: { count: records.length, digest: recordsDigest(records) },
  };
  const path = join(directory.root, lastAuditFile);
  try {
    writeFileSync(`${path}.part`, `${JSON.stringify(LastAudit.parse(last), null, 2)}\n`);
    renameSync(`${path}.part`, path);
    // A report that is not what the records give stays as evidence.
    const reported = audit.checks.find(({ name }) => name === 'report');
    if (reported?.state === 'ok') await writeReportFiles(sources.lock, records, directory.reports);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && readOnly.has(String(error.code)))) throw error;
  }
}
