import { buildReport } from '../../report/build-report.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, recordsOf } from '../audit-sources.ts';

/** The stored report says what the records say, number by number. */
export const reportCheck: AuditCheck = {
  name: 'report',
  run: (sources) => {
    const { lock, report } = sources;
    if (!isClosed(sources)) return { state: 'skipped', text: 'there is none before the experiment is closed' };
    const rebuilt: unknown = JSON.parse(JSON.stringify(buildReport(lock, recordsOf(sources))));
    const counted = { leaves: 0 };
    const faults = report === null ? ['the JSON report is missing'] : differences(report, rebuilt, '', counted);
    return judge(
      faults,
      `${counted.leaves} values equal what the records give`,
      `anneal report ${lock.id} --format md,csv,json     writes it from the records`,
    );
  },
};

/** Values of the stored report that the records do not give; what only a newer anneal reports is left out. */
function differences(stored: unknown, rebuilt: unknown, path: string, counted: { leaves: number }): string[] {
  if (typeof stored !== 'object' || stored === null) {
    counted.leaves += 1;
    return Object.is(stored, rebuilt) ? [] : [`${path} is ${String(stored)}, the records give ${String(rebuilt)}`];
  }
  if (typeof rebuilt !== 'object' || rebuilt === null) return [`${path} is not in what the records give`];
  const lengths = Array.isArray(stored) && Array.isArray(rebuilt) && stored.length !== rebuilt.length;
  return [
    ...(lengths ? [`${path} has ${stored.length} entries, the records give ${rebuilt.length}`] : []),
    ...Object.entries(stored).flatMap(([key, value]) =>
      differences(value, (rebuilt as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`, counted),
    ),
  ];
}
