import type { Activities } from '../src/contract/activities.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';

/** Project the ledger's totals, open the sealed records, write the report, close the experiment. May be repeated. */
export function writeReport(
  { gateway, experiments, clock }: ActivityDependencies,
  records: RecordStore,
): Activities['writeReport'] {
  return async ({ experimentId, ended }) => {
    const lock = await experiments.lock(experimentId);
    const { roles, servedModels } = await gateway.usage({ experimentId });
    for (const usage of roles) {
      await records.append(lock, 'open', `usage/${usage.arm}/${usage.role}/${usage.rows}/${usage.charged}`, {
        kind: 'usage',
        ...recordStamp(lock, clock()),
        arm: usage.arm,
        role: usage.role,
        calls: usage.rows,
        reported: usage.reported,
        charged: usage.charged,
        unknownRows: usage.unknownRows,
        unknownCharged: usage.unknownCharged,
        microUsd: usage.microUsd,
        unpricedCalls: usage.unpricedRows,
        served: servedModels
          .filter(({ role }) => role === usage.role)
          .map(({ role: _role, served, rows, ...parts }) => ({ model: served, calls: rows, ...parts })),
      });
    }
    await experiments.openSealed(lock);
    await records.append(lock, 'open', 'decision/experiment-closed', {
      kind: 'decision',
      ...recordStamp(lock, clock()),
      arm: null,
      event: 'experiment-closed',
      reason: ended,
      figures: {},
    });
    await experiments.writeReports(lock, await records.all(experimentId));
  };
}
