import { isSimulated, worldOf, type ExperimentLock } from '../src/schema/experiment-lock.ts';

/** What marks every commit of a simulated experiment, H0's included; nothing for a real one. */
export function simulatedTrailer({ identity }: ExperimentLock): Readonly<Record<string, string>> {
  return isSimulated(identity) ? { 'Anneal-Simulated-World': String(worldOf(identity)) } : {};
}
