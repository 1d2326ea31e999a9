import { buildReport } from '../report/build-report.ts';
import { auditStanding, readLastAudit } from '../report/last-audit.ts';
import { exitCodeOf } from '../report/exit-code.ts';
import { holdsOf } from '../report/holds.ts';
import { progressOf } from '../report/progress.ts';
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

/** Print the report's table and what belongs to it; of an experiment that waits for a person, the command that `anneal status` names. */
export function printReport({ terminal }: CommandContext, home: DataHome, lock: ExperimentLock, report: Report): void {
  const { columns, palette } = terminal;
  const records = report.state === 'open' ? readSettledRecords(experimentDirectory(home, lock.id)) : [];
  const [hold] = holdsOf(lock, records, progressOf(records), null);
  terminal.print(renderReport(report, { columns, palette }, hold?.error.next ?? null));
}
