import { setTimeout as sleep } from 'node:timers/promises';
import { isAnnealError } from '../src/domain/errors.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { RecordStore } from './record-store.ts';

const mostTries = 30;

/**
 * Record files are projections: what was lost or damaged while no worker ran is written again, of closed experiments too.
 * What time may mend is tried again for half a minute, for the gateway may take longer to start than the worker; whatever
 * cannot be written then is told once, and the others are gone on with.
 * @param pauseMs between two tries of one experiment.
 */
export async function rebuildRecords(
  locks: readonly ExperimentLock[],
  records: Pick<RecordStore, 'rebuild'>,
  onFailure: (lock: ExperimentLock, error: unknown) => void,
  pauseMs = 1_000,
): Promise<void> {
  for (const lock of locks) {
    for (let tries = 1; ; tries++) {
      try {
        await records.rebuild(lock);
        break;
      } catch (error) {
        if (!isAnnealError(error) || !error.retryable || tries === mostTries) {
          onFailure(lock, error);
          break;
        }
        await sleep(pauseMs);
      }
    }
  }
}
