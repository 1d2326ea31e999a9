import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { AuditStanding } from '../../schema/report.ts';
import { buildReport } from '../numbers/build-report.ts';
import { renderCsv } from './render-csv.ts';
import { renderMarkdown } from './render-markdown.ts';

/** In the order in which the files are written. */
export const reportFormats = ['md', 'csv', 'json'] as const;
/** A kind of report file, as `--format` names it. */
export type ReportFormat = (typeof reportFormats)[number];

/** A file by its name within the folder of reports. */
export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

/** The files of a report. Those of a simulated run carry its world in their names. */
export function reportFiles(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  audit: AuditStanding,
  formats: readonly ReportFormat[] = reportFormats,
): ReportFile[] {
  const report = buildReport(lock, records, audit);
  const suffix = report.simulated ? `.simulated-${report.world ?? 'model'}` : '';
  const texts: Record<ReportFormat, () => ReportFile> = {
    md: () => ({ name: `summary${suffix}.md`, text: renderMarkdown(report) }),
    csv: () => ({ name: `attempts${suffix}.csv`, text: renderCsv(lock, records) }),
    json: () => ({ name: `report${suffix}.json`, text: `${JSON.stringify(report, null, 2)}\n` }),
  };
  return reportFormats.filter((format) => formats.includes(format)).map((format) => texts[format]());
}
