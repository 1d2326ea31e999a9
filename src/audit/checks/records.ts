import { canonicalJson } from '../../domain/canonical-json.ts';
import { ExperimentRecord } from '../../schema/record.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed } from '../audit-sources.ts';

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
    // The worker writes the files after the ledger: the last ones of an open experiment may be on their way.
    const last = isClosed(sources) ? Number.POSITIVE_INFINITY : Math.max(0, ...seen);
    const missing = stored.filter(({ seq }) => !seen.has(seq) && seq < last);
    faults.push(...missing.map(({ seq, stream }) => `record ${seq} (${stream}) is in no file`));
    stored.forEach(({ seq, body }, index) => {
      if (seq !== index + 1) faults.push(`the ledger's record ${seq} follows ${index}: records are missing`);
      if (!ExperimentRecord.safeParse(body).success) faults.push(`the ledger's record ${seq} is no record`);
    });
    return judge(
      faults,
      `${stored.length} in the ledger, ${seen.size} in files, equal one by one`,
      `remove the files named below experiments/${lock.id}/, then: anneal down && anneal up     writes them from the ledger`,
    );
  },
};
