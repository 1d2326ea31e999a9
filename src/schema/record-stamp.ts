import { isSimulated, worldOf, type ExperimentLock } from './experiment-lock.ts';
import type { ExperimentId } from './ids.ts';

/** The fields that every record carries; a simulated run is marked whatever anyone wishes. */
export function recordStamp(
  { id, identity }: ExperimentLock,
  now: number,
): { version: 1; experiment: ExperimentId; simulated: boolean; world: string | null; at: string } {
  return {
    version: 1,
    experiment: id,
    simulated: isSimulated(identity),
    world: worldOf(identity),
    at: new Date(now).toISOString(),
  };
}
