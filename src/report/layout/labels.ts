import { isSimulated, worldOf, type ExperimentLock } from '../../schema/experiment-lock.ts';
import { SIMULATED_LABEL } from '../../schema/world.ts';

/** The line that stands on every screen of a simulated run; null for real models. */
export function simulatedLine({
  simulated,
  world,
}: {
  readonly simulated: boolean;
  readonly world: string | null;
}): string | null {
  if (!simulated) return null;
  const [name, faults] = world?.split('+') ?? [];
  return [
    'simulated',
    ...(name === undefined ? [] : [`world ${name}`]),
    ...(faults === undefined ? [] : [`faults ${faults}`]),
    SIMULATED_LABEL,
  ].join(' · ');
}

/** Sentences that belong to every use of an experiment's numbers. */
export function labelsOf(lock: ExperimentLock): string[] {
  const line = simulatedLine({ simulated: isSimulated(lock.identity), world: worldOf(lock.identity) });
  return [
    ...(line === null ? [] : [line]),
    ...(lock.operational.policiesFromEvaluationKeys === true
      ? [
          "the simulated solver's policies were derived from the tasks' evaluation keys; they live with the simulated model only",
        ]
      : []),
  ];
}
