import { existsSync } from 'node:fs';
import { AnnealError } from '../../domain/errors.ts';
import type { DataHome } from './data-home.ts';
import { experimentDirectory, listExperiments } from './experiment-directory.ts';
import { readRecords } from './read-records.ts';

/**
 * A new ledger under experiments that have records would forget what they spent.
 * @throws AnnealError ANL-6001 when the ledger is gone and something was run here.
 */
export function refuseLostLedger(home: DataHome): void {
  if (existsSync(home.ledger)) return;
  const run = listExperiments(home).find(({ id }) => readRecords(experimentDirectory(home, id)).length > 0);
  if (run === undefined) return;
  throw new AnnealError(
    'ANL-6001',
    { object: 'the ledger' },
    {
      at: [{ file: home.ledger }],
      why: `it is missing, and ${run.id} was run here: a new one would forget what was spent`,
      next: 'restore ledger.db from a copy, or start a new data home: ANNEAL_HOME=…',
      notSpent: 'nothing was started, 0 tokens spent',
    },
  );
}
