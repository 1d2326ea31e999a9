import { z } from 'zod';
import type { LedgerPort } from '../../contract/ledger-port.ts';
import type { RecordAppend } from '../../schema/gateway.ts';
import { RecordQuery } from '../../schema/gateway.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';

const RecordRow = z.object({ seq: z.number(), stream: z.string(), key: z.string(), body: z.string() });

/** Append-only lines of an experiment, numbered from 1, each (stream, key) once. `appending` is told of each before it is written. */
export function createRecords(
  database: LedgerDatabase,
  appending: (record: RecordAppend) => void = () => {},
): Pick<LedgerPort, 'appendRecord' | 'listRecords'> {
  const find = database.prepare('SELECT seq FROM record WHERE experiment = ? AND stream = ? AND key = ?');
  const insert = database.prepare(
    `INSERT INTO record (experiment, seq, stream, key, body)
     VALUES (?, coalesce((SELECT max(seq) FROM record WHERE experiment = ?), 0) + 1, ?, ?, ?) RETURNING seq`,
  );
  const list = database.prepare(
    'SELECT seq, stream, key, body FROM record WHERE experiment = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  const listStream = database.prepare(
    'SELECT seq, stream, key, body FROM record WHERE experiment = ? AND seq > ? AND stream = ? ORDER BY seq LIMIT ?',
  );
  const Seq = z.object({ seq: z.number() });
  return {
    appendRecord: (record) =>
      inTransaction(database, () => {
        const { experimentId, stream, key, body } = record;
        appending(record);
        const known = Seq.optional().parse(find.get([experimentId, stream, key]));
        if (known !== undefined) return { seq: known.seq, appended: false };
        const { seq } = Seq.parse(insert.get([experimentId, experimentId, stream, key, JSON.stringify(body ?? null)]));
        return { seq, appended: true };
      }),
    listRecords: (query) => {
      const { experimentId, since, stream, limit } = RecordQuery.parse(query);
      const rows =
        stream === undefined
          ? list.all([experimentId, since, limit])
          : listStream.all([experimentId, since, stream, limit]);
      return RecordRow.array()
        .parse(rows)
        .map((row) => ({ ...row, body: JSON.parse(row.body) as unknown }));
    },
  };
}
