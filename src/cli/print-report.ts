import { buildReport } from '../report/numbers/build-report.ts';
import { auditStanding, readLastAudit } from '../report/numbers/last-audit.ts';
import { exitCodeOf } from '../report/exit-code.ts';
import { holdsOf } from '../report/status/holds.ts';
import { progressOf } from '../report/status/progress.ts';
import { renderReport } from '../report/documents/render-report.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../schema/record.ts';
import type { AuditStanding, Report } from '../schema/report.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import { experimentDirectory } from '../services/data-home/experiment-directory.ts';
import { readRecords } from '../services/data-home/read-records.ts';
import type { CommandContext } from './context.ts';

/** A report with the records and the audit that it was made from. */
export interface ReadReport {
  readonly report: Report;
  readonly records: readonly ExperimentRecord[];
  readonly standing: AuditStanding;
}

/** The report of an experiment as it stands; sets the exit code that its verdict asks for. */
export function readReport(context: CommandContext, home: DataHome, lock: ExperimentLock): ReadReport {
  const directory = experimentDirectory(home, lock.id);
  const records = readRecords(directory);
  const standing = auditStanding(readLastAudit(directory.root), records);
  const report = buildReport(lock, records, standing);
  context.exitCode = exitCodeOf(report);
  return { report, records, standing };
}

/** Print the report's table and what belongs to it; of an experiment that waits for a person, the command that `anneal status` names. */
export function printReport({ terminal }: CommandContext, lock: ExperimentLock, { report, records }: ReadReport): void {
  const { columns, palette } = terminal;
  const [hold] = report.state === 'open' ? holdsOf(lock, records, progressOf(records), null) : [];
  terminal.print(renderReport(report, { columns, palette }, hold?.error.next ?? null));
}
