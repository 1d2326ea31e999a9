import type { Activities } from '../src/contract/activities.ts';
import { isClosed } from '../src/domain/is-closed.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { endLeases } from './end-leases.ts';
import type { RecordStore } from './record-store.ts';

/**
 * Close an experiment whose workflow does not run any more: what it left running is ended, its leases are closed, then the
 * report of what there is opens the sealed records. May be repeated: how it was closed stands.
 */
export function closeExperiment(
  dependencies: ActivityDependencies,
  records: RecordStore,
  prepare: Activities['prepareExperiment'],
  report: Activities['writeReport'],
): Activities['closeExperiment'] {
  const { experiments, clock } = dependencies;
  return async ({ experimentId }) => {
    const lock = await experiments.lock(experimentId);
    const before = await records.all(experimentId);
    // The record closes it first; whoever was killed right after it left its report to be written.
    if (isClosed(before)) return report({ experimentId, ended: 'cancelled' });
    if (before.length === 0) await prepare({ experimentId });
    const attemptsEnded = await endLeases(dependencies, experimentId);
    await records.append(lock, 'open', 'decision/experiment-cancelled', {
      kind: 'decision',
      ...recordStamp(lock, clock()),
      arm: null,
      event: 'experiment-cancelled',
      reason: 'closed on request: it does not go on',
      figures: { attemptsEnded },
    });
    await report({ experimentId, ended: 'cancelled' });
  };
}
