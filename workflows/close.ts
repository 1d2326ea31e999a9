import type { ExperimentId } from '../src/schema/ids.ts';
import { long } from './proxies.ts';

/** Close an experiment that will not go on. Runs under the experiment's own id: never beside it. */
export async function close(input: { readonly experimentId: ExperimentId }): Promise<void> {
  await long.closeExperiment({ experimentId: input.experimentId });
}
