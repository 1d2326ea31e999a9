import { buildPolicyBook } from '../../src/adapters/policy-book.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { type SplitTasks, type WholeRun, packExperiment } from './whole-run.ts';

/** What a run needs to find a server and its key. */
export function serverEnvironment({ baseUrl }: SimulatedServer, key: string): NodeJS.ProcessEnv {
  return { WHOLE_RUN_URL: baseUrl, WHOLE_RUN_KEY: key };
}

/** Freeze an experiment of one candidate whose models are chosen by base URL and key variable alone, both from variables. */
export async function freezeOnServer(
  run: WholeRun,
  server: SimulatedServer,
  splits: SplitTasks,
  stream = false,
): Promise<void> {
  const model = (name: string): string =>
    `{ provider: openai, baseUrl: '\${WHOLE_RUN_URL}', model: ${name}, keyVariable: WHOLE_RUN_KEY, servedModel: prefix, stream: ${stream} }`;
  const files = packExperiment(splits, model('solver'), 1);
  const experiment = (files['experiment.yaml'] ?? '').replace(/updater: \{.*/, `updater: ${model('updater')}`);
  const { tasks } = await run.freeze({ ...files, 'experiment.yaml': experiment }, 2);
  const sources = [...tasks.values()].map(({ id, path, instruction, toml }) => ({
    id,
    path,
    instruction,
    modality: toml.metadata.modality,
  }));
  server.use(buildPolicyBook(sources));
}
