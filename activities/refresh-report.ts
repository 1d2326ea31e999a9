import type { Activities } from '../src/contract/activities.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';

/** Write the report of a closed experiment anew from its records; of an open one there is none yet. */
export function refreshReport(
  { experiments }: ActivityDependencies,
  records: RecordStore,
): Activities['refreshReport'] {
  return async ({ experimentId }) => {
    const all = await records.all(experimentId);
    const isClosed = all.some((record) => record.kind === 'decision' && record.event === 'experiment-closed');
    if (isClosed) await experiments.writeReports(await experiments.lock(experimentId), all);
  };
}
