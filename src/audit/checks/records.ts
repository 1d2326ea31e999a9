import { canonicalJson } from '../../domain/canonical-json.ts';
import { recordFileOf } from '../../domain/record-file.ts';
import { ExperimentRecord } from '../../schema/record.ts';
import type { StoredRecord } from '../../schema/gateway.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, type AuditSources } from '../audit-sources.ts';

/** How long a record of an open experiment may take to reach its file. */
const graceMs = 60_000;

/** The files hold exactly what the ledger holds, record by record, and all of it can be read. */
export const recordsCheck: AuditCheck = {
  name: 'records',
  run: (sources) => {
    const { lock, lines, stored } = sources;
    const bySeq = new Map(stored.map((record) => [record.seq, record]));
    const seen = new Set<number>();
    const faults: string[] = [];
    for (const { file, line, seq, record, body } of lines) {
      const place = `${file}:${line}`;
      if (record === null || seq === null) {
        faults.push(`${place} is no record`);
        continue;
      }
      if (seen.has(seq)) faults.push(`${place} repeats record ${seq}`);
      seen.add(seq);
      const original = bySeq.get(seq);
      if (original === undefined) faults.push(`${place}: record ${seq} is not in the ledger`);
      else if (canonicalJson(original.body) !== canonicalJson(body)) {
        faults.push(`${place}: record ${seq} is not what the ledger holds`);
      }
    }
    const missing = stored.filter(({ seq }) => !seen.has(seq));
    const late = onTheirWay(sources, missing, Math.max(0, ...seen));
    faults.push(
      ...missing
        .filter((record) => !late.has(record))
        .map(({ seq, body }) => `${recordFileOf(body)}: record ${seq} is in no file`),
    );
    stored.forEach(({ seq, body }, index) => {
      if (seq !== index + 1) faults.push(`the ledger's record ${seq} follows ${index}: records are missing`);
      if (!ExperimentRecord.safeParse(body).success) faults.push(`the ledger's record ${seq} is no record`);
    });
    return judge(
      faults,
      late.size === 0
        ? `${stored.length} in the ledger, ${seen.size} in files, equal one by one`
        : `${seen.size} in files equal the ledger one by one, the last ${late.size} of its ${stored.length} are on their way`,
      `remove the files named below experiments/${lock.id}/, then: anneal down && anneal up     writes them from the ledger`,
    );
  },
};

/**
 * The worker writes the files after the ledger, and an opening of a sealed record with its next one: the last records of an
 * open experiment may not be there yet.
 */
function onTheirWay(sources: AuditSources, missing: readonly StoredRecord[], last: number): ReadonlySet<StoredRecord> {
  if (isClosed(sources)) return new Set();
  return new Set(
    missing.filter(({ seq, body }) => {
      const { at, event } = body as { readonly at?: unknown; readonly event?: unknown };
      const young = typeof at === 'string' && sources.now - Date.parse(at) < graceMs;
      return seq > last && (young || event === 'sealed-record-opened');
    }),
  );
}
