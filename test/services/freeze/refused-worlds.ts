import { replaced, validExperiment } from '../../support/experiment-files.ts';
import type { RefusedExperiment } from './refused-experiments.ts';

/** `what` is replaced by `by` in a valid experiment file. */
function yaml(title: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  const files = replaced(validExperiment, 'experiment.yaml', what, by);
  return { title, files, code, at: `experiment.yaml:${at}` };
}

/** Fault profiles that do not hold, and simulated models beside real ones. */
export const refusedWorlds: readonly RefusedExperiment[] = [
  yaml(
    'a fault profile that does not exist',
    'world: no-transfer',
    'world: no-transfer\n    faults: gremlins',
    'ANL-1003',
    '21:5',
  ),
  yaml(
    'a fault profile of the solver alone',
    'world: no-transfer',
    'world: no-transfer\n    faults: stalls',
    'ANL-1003',
    '24:5',
  ),
  yaml(
    'a fault profile of the updater alone',
    '    world: no-transfer\nrep',
    '    world: no-transfer\n    faults: stalls\nrep',
    'ANL-1003',
    '24:5',
  ),
  yaml(
    'a real solver beside a simulated updater',
    'provider: simulated\n    world: no-transfer',
    'provider: openai\n    model: m',
    'ANL-1003',
    '22:5',
  ),
  yaml(
    'a real judge beside simulated models',
    'reporting:',
    '  judge: { provider: openai, model: m }\nreporting:',
    'ANL-1003',
    '24:12',
  ),
];
