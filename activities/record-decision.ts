import type { Activities } from '../src/contract/activities.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';

/** Append one line to the decision record. */
export function recordDecision(
  { experiments, clock }: ActivityDependencies,
  records: RecordStore,
): Activities['recordDecision'] {
  return async ({ experimentId, id, arm, event, reason, figures }) => {
    const lock = await experiments.lock(experimentId);
    await records.append(lock, 'open', `decision/${id}`, {
      kind: 'decision',
      ...recordStamp(lock, clock()),
      arm,
      event,
      reason,
      figures: { ...figures },
    });
  };
}
