import { buildReport } from '../report/build-report.ts';
import { auditStanding, readLastAudit } from '../report/last-audit.ts';
import { exitCodeOf } from '../report/exit-code.ts';
import { renderReport } from '../report/render-report.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { Report } from '../schema/report.ts';
import type { DataHome } from '../services/data-home.ts';
import { experimentDirectory } from '../services/experiment-directory.ts';
import { readSettledRecords } from './read-settled-records.ts';
import type { CommandContext } from './context.ts';

/** The report of an experiment as it stands; sets the exit code that its verdict asks for. */
export function readReport(context: CommandContext, home: DataHome, lock: ExperimentLock): Report {
  const directory = experimentDirectory(home, lock.id);
  const records = readSettledRecords(directory);
  const report = buildReport(lock, records, auditStanding(readLastAudit(directory.root), records));
  context.exitCode = exitCodeOf(report);
  return report;
}

/** Print the report's table and what belongs to it. */
export function printReport({ terminal }: CommandContext, report: Report): void {
  const { columns, palette } = terminal;
  terminal.print(renderReport(report, { columns, palette }));
}
