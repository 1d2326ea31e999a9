import type { ActivityDependencies } from '../../activities/dependencies.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';

/** Anneal's own programs as an experiment froze them. */
export function frozenPrograms({ identity }: ExperimentLock): ActivityDependencies['programDigests'] {
  const { judges, runner, environments } = identity;
  return { judges: () => judges, runner: () => runner, environments: () => environments };
}
