import { buildPolicyBook } from '../../src/adapters/policy-book.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import type { Wire } from '../../src/schema/model-call.ts';
import { speaking } from './gateway-fixture.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { type SplitTasks, type WholeRun, packExperiment } from './whole-run.ts';

/** What a run needs to find a server and its key. */
export function serverEnvironment({ baseUrl }: Pick<SimulatedServer, 'baseUrl'>, key: string): NodeJS.ProcessEnv {
  return { WHOLE_RUN_URL: baseUrl, WHOLE_RUN_KEY: key };
}

export interface ServerExperiment {
  readonly name?: string;
  readonly wire?: Wire;
  readonly stream?: boolean;
  /** By default the one in `WHOLE_RUN_URL`. */
  readonly baseUrl?: string;
  readonly timeoutSeconds?: number;
  /** Let the solver think before it answers. */
  readonly thinking?: boolean;
}

/** Freeze an experiment of one candidate whose models are chosen by provider, wire, base URL and key variable alone. */
export async function freezeOnServer(
  run: WholeRun,
  server: SimulatedServer,
  splits: SplitTasks,
  options: ServerExperiment = {},
): Promise<ExperimentLock> {
  const { name = 'whole-run', stream = false, timeoutSeconds = 300, thinking = false } = options;
  const { provider, wire } = speaking(options.wire ?? 'chat');
  const url = options.baseUrl ?? '${WHOLE_RUN_URL}';
  const model = (served: string, sampling: string): string =>
    `{ provider: ${provider}, wire: ${wire}, baseUrl: '${url}', model: ${served}, keyVariable: WHOLE_RUN_KEY, ` +
    `servedModel: prefix, stream: ${stream}, timeoutSeconds: ${timeoutSeconds}, sampling: ${sampling} }`;
  const files = packExperiment(splits, model('solver', thinking ? '{ reasoningEffort: low }' : '{}'), 1);
  const experiment = (files['experiment.yaml'] ?? '')
    .replace('name: whole-run', `name: ${name}`)
    .replace(/updater: \{.*/, `updater: ${model('updater', '{}')}`);
  const { tasks } = await run.freeze({ ...files, 'experiment.yaml': experiment }, 2);
  const sources = [...tasks.values()].map(({ id, path, instruction, toml }) => ({
    id,
    path,
    instruction,
    modality: toml.metadata.modality,
  }));
  server.use(buildPolicyBook(sources));
  return run.lock;
}
