import type { Activities } from '../src/contract/activities.ts';
import { closedKey } from '../src/domain/is-closed.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { endLeases } from './end-leases.ts';
import type { RecordStore } from './record-store.ts';

/**
 * Close the leases that are left, project the ledger's totals, open the sealed records, close the experiment, write the
 * report. A request whose end is still not known then counts at its bound. May be repeated.
 */
export function writeReport(dependencies: ActivityDependencies, records: RecordStore): Activities['writeReport'] {
  const { gateway, experiments, clock } = dependencies;
  const noteUsage = async (lock: ExperimentLock): Promise<void> => {
    await endLeases(dependencies, lock.id);
    const { roles, servedModels } = await gateway.usage({ experimentId: lock.id });
    for (const usage of roles) {
      const charged = usage.charged + usage.reserved;
      await records.append(lock, 'open', `usage/${usage.arm}/${usage.role}/${usage.rows}/${charged}`, {
        kind: 'usage',
        ...recordStamp(lock, clock()),
        arm: usage.arm,
        role: usage.role,
        calls: usage.rows,
        reported: usage.reported,
        charged,
        unknownRows: usage.unknownRows,
        unknownCharged: usage.unknownCharged + usage.reserved,
        microUsd: usage.microUsd + usage.microUsdReserved,
        unpricedCalls: usage.unpricedRows,
        served: servedModels
          .filter(({ role }) => role === usage.role)
          .map(({ role: _role, served, rows, ...parts }) => ({ model: served, calls: rows, ...parts })),
      });
    }
  };
  return async ({ experimentId, ended }) => {
    const lock = await experiments.lock(experimentId);
    await noteUsage(lock);
    await experiments.openSealed(lock);
    await records.append(lock, closedKey.stream, closedKey.key, {
      kind: 'decision',
      ...recordStamp(lock, clock()),
      arm: null,
      event: 'experiment-closed',
      reason: ended,
      figures: {},
    });
    // From here on the ledger refuses; what a worker that had been stalled spent until then is counted too.
    await noteUsage(lock);
    await experiments.writeReports(lock, await records.all(experimentId));
  };
}
