import { canonicalJson } from '../../domain/canonical-json.ts';
import { recordsDigest } from '../../report/numbers/records-digest.ts';
import { reportFiles } from '../../report/documents/report-files.ts';
import { AuditStanding } from '../../schema/report.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, recordsOf, type AuditSources } from '../audit-sources.ts';

/** Names that a file of a report has, whatever stands between. */
const reportFile = /^(report|summary|attempts)\b.*\.(json|md|csv)$/;

/** The stored report says what the records say: its data number by number, its other files line by line. */
export const reportCheck: AuditCheck = {
  name: 'report',
  run: (sources) => {
    const { lock } = sources;
    const repair = `anneal report ${lock.id} --format md,csv,json     writes it from the records`;
    const stored = storedReport(sources);
    if (!isClosed(sources)) {
      const state = canonicalJson((stored as { readonly state?: unknown } | null)?.state ?? 'open');
      return state === '"open"'
        ? { state: 'skipped', text: 'there is none before the experiment is closed' }
        : judge([`a report says ${state}, the ledger has no end of ${lock.id}`], '', 'restore ledger.db from a copy');
    }
    const counted = { values: 0 };
    const records = recordsOf(sources);
    const standing = standingOf(stored);
    const files = reportFiles(lock, records, standing);
    // A report of another version of the engine says the same in other words, and may say less.
    const sameEngine = lock.engine === sources.engine;
    const stale = standing.kind === 'audited' && standing.records.digest !== recordsDigest(records);
    const faults = stale ? ['it says that it was audited, which other records were'] : [];
    const textFaults = files.flatMap(({ name, text }) => {
      const found = sources.reports.get(name);
      if (found === undefined) return [`reports/${name} is missing`];
      if (!name.endsWith('.json')) return sameEngine ? lineFaults(name, found, text) : [];
      if (stored === null) return [`reports/${name} is no JSON`];
      const rebuilt: unknown = JSON.parse(text);
      return [
        ...differences(stored, rebuilt, '', counted),
        ...(sameEngine ? missingMembers(rebuilt, stored, '') : []),
      ].map((fault) => `reports/${name}: ${fault}`);
    });
    const names = new Set(files.map(({ name }) => name));
    const strange = [...sources.reports.keys()].filter((name) => reportFile.test(name) && !names.has(name));
    // The next report of this engine has this engine's words.
    const unread = sameEngine ? '' : `, the texts are those of ${lock.engine} and were not compared`;
    return judge(
      [...faults, ...textFaults, ...strange.map((name) => `reports/${name} is no file of its report: remove it`)],
      `${counted.values} values equal what the records give, ${files.length} files${unread}`,
      repair,
    );
  },
};

/** What the report says of its own audit; nothing that can be read is unaudited. */
function standingOf(stored: unknown): AuditStanding {
  const said = AuditStanding.safeParse((stored as { readonly audit?: unknown } | null)?.audit);
  return said.success ? said.data : { kind: 'unaudited' };
}

/** The JSON report as it stands, null without one that can be read. */
function storedReport({ reports }: AuditSources): unknown {
  const text = [...reports].find(([name]) => /^report.*\.json$/.test(name))?.[1];
  if (text === undefined) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The first line that differs. */
function lineFaults(name: string, stored: string, rebuilt: string): string[] {
  if (stored === rebuilt) return [];
  const [lines, expected] = [stored.split('\n'), rebuilt.split('\n')];
  const at = Array.from({ length: Math.max(lines.length, expected.length) }).findIndex(
    (_, index) => lines[index] !== expected[index],
  );
  return [`reports/${name}:${at + 1} is not what the records give`];
}

/** Values of the stored report that the records do not give. */
function differences(stored: unknown, rebuilt: unknown, path: string, counted: { values: number }): string[] {
  if (typeof stored !== 'object' || stored === null) {
    counted.values += 1;
    return Object.is(stored, rebuilt) ? [] : [`${path} is ${String(stored)}, the records give ${String(rebuilt)}`];
  }
  if (typeof rebuilt !== 'object' || rebuilt === null) return [`${path} is not in what the records give`];
  const lengths = Array.isArray(stored) && Array.isArray(rebuilt) && stored.length !== rebuilt.length;
  return [
    ...(lengths ? [`${path} has ${stored.length} entries, the records give ${rebuilt.length}`] : []),
    ...Object.entries(stored).flatMap(([key, value]) =>
      differences(value, (rebuilt as Record<string, unknown>)[key], within(path, key), counted),
    ),
  ];
}

/** Members that the records give and the stored report has not. */
function missingMembers(rebuilt: unknown, stored: unknown, path: string): string[] {
  if (typeof rebuilt !== 'object' || rebuilt === null || typeof stored !== 'object' || stored === null) return [];
  return Object.entries(rebuilt).flatMap(([key, value]) =>
    Object.hasOwn(stored, key)
      ? missingMembers(value, (stored as Record<string, unknown>)[key], within(path, key))
      : [`${within(path, key)} is missing`],
  );
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
