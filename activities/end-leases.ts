import type { ExperimentId } from '../src/schema/ids.ts';
import type { ActivityDependencies } from './dependencies.ts';

/**
 * End what an experiment left running and close its leases, so that every call under way ends and is charged. Returns how
 * many leases there were; may be repeated.
 */
export async function endLeases(
  { gateway, experiments, sandbox }: ActivityDependencies,
  experimentId: ExperimentId,
): Promise<number> {
  const { leases } = await gateway.openLeases({ experimentId });
  for (const { attemptKey, epoch, lease, role } of leases) {
    if (role === 'solver') await sandbox.stop(experiments.stateDirectory(attemptKey, epoch));
    await gateway.closeLease({ attemptKey, epoch, lease });
  }
  return leases.length;
}
