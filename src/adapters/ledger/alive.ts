import type { LedgerPort } from '../../contract/ledger-port.ts';
import { inTransaction, metaValue } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';

/** When the owner last ran, so that the time it was away can be given back to the attempts that waited for it. */
export function createAlive(database: LedgerDatabase, clock: () => number): Pick<LedgerPort, 'beat' | 'accountOutage'> {
  const note = database.prepare(
    "INSERT INTO meta (name, value) VALUES ('alive_at', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const extend = database.prepare("UPDATE lease SET waited_ms = waited_ms + ? WHERE state = 'open'");
  return {
    beat: () => {
      note.run([String(clock())]);
    },
    accountOutage: () =>
      inTransaction(database, () => {
        const last = metaValue(database, 'alive_at');
        const outage = last === null ? 0 : Math.max(0, clock() - Number(last));
        extend.run([outage]);
        note.run([String(clock())]);
        return outage;
      }),
  };
}
