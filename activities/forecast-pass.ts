import type { Activities } from '../src/contract/activities.ts';
import { canonicalAttempts } from '../src/domain/canonical-attempts.ts';
import { rewardOf } from '../src/domain/outcome.ts';
import { percentile } from '../src/domain/percentile.ts';
import type { AttemptRecord } from '../src/schema/record.ts';
import type { RecordStore } from './record-store.ts';

/** From what attempts took so far, what the next pass will take; attempts that infrastructure ended tell nothing. */
export function forecastPass(records: RecordStore): Activities['forecastPass'] {
  return async ({ experimentId, revision, taskIds, replicate }) => {
    const canonical = canonicalAttempts(await records.all(experimentId));
    const scored = canonical.all.filter(({ outcome }) => rewardOf(outcome) !== null);
    return {
      wallP90Ms: percentile(scored.map(wallOf), 0.9),
      standing: taskIds.filter((task) => {
        const record = revision === null ? undefined : canonical.of(revision.digest, task, replicate);
        return record !== undefined && rewardOf(record.outcome) !== null;
      }),
    };
  };
}

/** Milliseconds from the start of the run to its verdict. */
function wallOf({ wallMs, phases }: AttemptRecord): number {
  return wallMs + Math.round(phases['judge'] ?? 0);
}
