import type { ImportedTask, ImportReport } from '../../schema/import-report.ts';
import type { SourceTask } from './read-source.ts';

/** The counts at the head of the report. */
export function importTotals(source: readonly SourceTask[], tasks: readonly ImportedTask[]): ImportReport['totals'] {
  const users = new Map<string, Set<string>>();
  for (const { id, testbed } of source) {
    for (const { sha256 } of testbed.files) users.set(sha256, (users.get(sha256) ?? new Set()).add(id));
  }
  const listed = tasks.filter((task) => task.listed);
  return {
    upstreamTasks: source.length,
    tasks: tasks.length,
    listed: listed.length,
    byStatus: counts(tasks.map(({ status }) => status)),
    quarantinedBy: counts(
      tasks.filter((task) => !task.listed).map(({ status }) => (status === 'ok' ? 'existence-only' : status)),
    ),
    listedByModality: counts(listed.map(({ modality }) => modality)),
    byFinding: counts(tasks.flatMap(({ findings }) => [...new Set(findings.map(({ kind }) => kind))])),
    inputFiles: users.size,
    inputFilesReused: [...users.values()].filter(({ size }) => size > 1).length,
  };
}

function counts(names: readonly string[]): Record<string, number> {
  const sorted = names.toSorted();
  return Object.fromEntries([...new Set(sorted)].map((name) => [name, sorted.filter((one) => one === name).length]));
}
