import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import { auditStanding, readLastAudit } from '../numbers/last-audit.ts';
import { reportFiles } from './report-files.ts';

/** Write all formats of a report to the reports of an experiment, each by rename. Idempotent: the same records and audit give the same bytes. */
export async function writeReportFiles(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of reportFiles(lock, records, auditStanding(readLastAudit(dirname(folder)), records))) {
    const path = join(folder, name);
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
  }
}
