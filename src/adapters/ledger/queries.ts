import { z } from 'zod';
import type { LedgerPort } from '../../contract/ledger-port.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { QueryReference } from '../../schema/gateway.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';

const QueryRow = z
  .object({
    query: z.number(),
    state: z.enum(['reserved', 'disclosed', 'released']),
    exact: z.number().nullable(),
    shown: z.number().nullable(),
  })
  .optional();

/** Disclosures of selection numbers: reserved, then disclosed or released; one per arm, revision and selection set. */
export function createQueries(
  database: LedgerDatabase,
  clock: () => number,
  budgetLimit: LedgerPort['budgetLimit'],
): Pick<LedgerPort, 'reserveQuery' | 'discloseQuery' | 'releaseQuery'> {
  const key = 'experiment = ? AND arm = ? AND revision_digest = ? AND selection_digest = ?';
  const find = database.prepare(`SELECT query, state, exact, shown FROM selection_query WHERE ${key}`);
  const booked = database.prepare(
    "SELECT query FROM selection_query WHERE experiment = ? AND arm = ? AND state <> 'released'",
  );
  const upsert = database.prepare(
    `INSERT INTO selection_query (experiment, arm, revision_digest, selection_digest, query, state, changed_at)
     VALUES (?, ?, ?, ?, ?, 'reserved', ?)
     ON CONFLICT DO UPDATE SET query = excluded.query, state = 'reserved', changed_at = excluded.changed_at WHERE state = 'released'`,
  );
  const disclose = database.prepare(
    `UPDATE selection_query SET state = 'disclosed', exact = ?, shown = ?, changed_at = ? WHERE ${key} AND state = 'reserved'`,
  );
  const release = database.prepare(
    `UPDATE selection_query SET state = 'released', changed_at = ? WHERE ${key} AND state = 'reserved'`,
  );

  const keyOf = (reference: QueryReference): string[] => [
    reference.experimentId,
    reference.arm,
    reference.revisionDigest,
    reference.selectionDigest,
  ];
  const numbersBooked = (reference: QueryReference): Set<number> =>
    new Set(
      z
        .object({ query: z.number() })
        .array()
        .parse(booked.all([reference.experimentId, reference.arm]))
        .map((row) => row.query),
    );

  return {
    reserveQuery: (reference) =>
      inTransaction(database, () => {
        const cap = budgetLimit(reference.experimentId, reference.arm, 'queries') ?? 0;
        const numbers = numbersBooked(reference);
        const known = QueryRow.parse(find.get(keyOf(reference)));
        if (known?.state === 'disclosed' && known.exact !== null && known.shown !== null) {
          return { kind: 'disclosed', query: known.query, exact: known.exact, shown: known.shown };
        }
        if (known?.state === 'reserved') return { kind: 'reserved', query: known.query, used: numbers.size, cap };
        if (numbers.size >= cap) return { kind: 'refused', used: numbers.size, cap };
        let query = 1;
        while (numbers.has(query)) query += 1;
        upsert.run([...keyOf(reference), query, clock()]);
        return { kind: 'reserved', query, used: numbers.size + 1, cap };
      }),
    discloseQuery: (disclosure) =>
      inTransaction(database, () => {
        const { changes } = disclose.run([disclosure.exact, disclosure.shown, clock(), ...keyOf(disclosure)]);
        const row = QueryRow.parse(find.get(keyOf(disclosure)));
        if (row?.state !== 'disclosed' || row.exact === null || row.shown === null) {
          throw new AnnealError('ANL-6009', { state: `disclosure of a query that is ${row?.state ?? 'not reserved'}` });
        }
        return { query: row.query, exact: row.exact, shown: row.shown, first: changes === 1 };
      }),
    releaseQuery: (reference) =>
      inTransaction(database, () => {
        release.run([clock(), ...keyOf(reference)]);
        return QueryRow.parse(find.get(keyOf(reference)))?.state === 'disclosed' ? 'disclosed' : 'released';
      }),
  };
}
