import type { Activities } from '../src/contract/activities.ts';
import { isClosed } from '../src/domain/is-closed.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';

/** Write the report of a closed experiment anew from its records; of an open one there is none yet. */
export function refreshReport(
  { experiments }: ActivityDependencies,
  records: RecordStore,
): Activities['refreshReport'] {
  return async ({ experimentId }) => {
    const all = await records.all(experimentId);
    if (isClosed(all)) await experiments.writeReports(await experiments.lock(experimentId), all);
  };
}
