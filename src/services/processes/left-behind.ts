import { basename } from 'node:path';
import { GatewayClient } from '../../adapters/gateway-client.ts';
import { isAnnealError } from '../../domain/errors.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentId } from '../../schema/ids.ts';
import { attemptsInFlight, type AttemptInFlight } from './attempts-in-flight.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { listExperiments } from '../data-home/experiment-directory.ts';

/** A keeper that still runs although nobody will ever ask for its result. */
export interface LeftBehind extends AttemptInFlight {
  /** null where no experiment of this data home has a lease for it any more. */
  readonly experiment: ExperimentId | null;
}

/**
 * Keepers whose workflow is gone: ended, terminated, or never started again. `isRunning` tells of an experiment whether its
 * workflow runs, null where that cannot be told: such keepers are left alone, and so is everything while the gateway cannot
 * be asked.
 */
export async function keepersLeftBehind(
  home: DataHome,
  isRunning: (lock: ExperimentLock) => Promise<boolean | null>,
): Promise<readonly LeftBehind[]> {
  const flying = attemptsInFlight(home);
  if (flying.length === 0) return [];
  const gateway = new GatewayClient(home.controlSocket);
  try {
    const owners = new Map<string, { readonly id: ExperimentId; readonly running: boolean | null }>();
    for (const lock of listExperiments(home)) {
      const { leases } = await gateway.openLeases({ experimentId: lock.id });
      if (leases.length === 0) continue;
      const running = await isRunning(lock);
      for (const { attemptKey, epoch } of leases) {
        owners.set(`${attemptKey.slice(0, 20)}-${epoch}`, { id: lock.id, running });
      }
    }
    // Looked at once more: whoever ended or got its lease closed in between is no orphan.
    const names = new Set(attemptsInFlight(home).map(({ stateDirectory }) => stateDirectory));
    return flying.flatMap((attempt): LeftBehind[] => {
      if (!names.has(attempt.stateDirectory)) return [];
      const owner = owners.get(basename(attempt.stateDirectory));
      if (owner === undefined) return [{ ...attempt, experiment: null }];
      return owner.running === false ? [{ ...attempt, experiment: owner.id }] : [];
    });
  } catch (error) {
    if (isAnnealError(error)) return [];
    throw error;
  } finally {
    await gateway.disconnect();
  }
}
