import { z } from 'zod';
import type { LedgerPort } from '../../contract/ledger-port.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';

const EffectRow = z.object({ kind: z.string(), result: z.string() }).optional();

/** Results of effects that may happen once, by business key. The first result of a key stands. */
export function createEffects(database: LedgerDatabase): Pick<LedgerPort, 'getEffect' | 'putEffect'> {
  const find = database.prepare('SELECT kind, result FROM effect WHERE key = ?');
  const insert = database.prepare('INSERT INTO effect (key, kind, result) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  return {
    getEffect: (key) => {
      const row = EffectRow.parse(find.get([key]));
      if (row === undefined) return { kind: 'absent' };
      return { kind: 'found', effect: { key, kind: row.kind, result: JSON.parse(row.result) as unknown } };
    },
    putEffect: ({ key, kind, result }) =>
      inTransaction(database, () => {
        const { changes } = insert.run([key, kind, JSON.stringify(result ?? null)]);
        const row = EffectRow.parse(find.get([key]));
        return { kind: changes === 1 ? 'stored' : 'existing', result: JSON.parse(row?.result ?? 'null') as unknown };
      }),
  };
}
