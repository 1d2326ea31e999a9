import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { ServedModels } from '../../schema/report.ts';
import { modelName } from '../model-name.ts';

/** Models that answered each role, as the ledger counted them when its totals were recorded. */
export function servedModels({ identity }: ExperimentLock, records: readonly ExperimentRecord[]): ServedModels[] {
  return (['solver', 'updater', 'judge'] as const).flatMap((role) => {
    const settings = identity.models[role];
    const last = records.findLast((record) => record.kind === 'usage' && record.role === role);
    if (settings === null || last?.kind !== 'usage' || last.served === undefined) return [];
    const policy = settings.provider === 'simulated' ? 'exact' : settings.servedModel;
    return [{ role, pinned: modelName(settings).model, policy, served: last.served }];
  });
}
