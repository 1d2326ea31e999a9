import { AnnealError } from '../../domain/errors.ts';
import type { ExperimentConfig } from '../../schema/experiment-config.ts';
import type { YamlSource } from './read-yaml.ts';
import { worldDocument } from './world-document.ts';

const notSpent = 'nothing was started, 0 tokens spent';

/** Records of H0, which belong to no updater, carry this instead of an arm's name. */
const reservedArm = 'h0';

/**
 * Check what one value of an experiment file says against another.
 * @throws AnnealError ANL-1003 for two arms of one name, an arm of a reserved name, a world or fault profile that does not
 * exist, models that live in different worlds, and simulated models beside real ones.
 */
export function checkConfig(config: YamlSource<ExperimentConfig>): void {
  const { arms } = config.value;
  const names = new Set<string>([reservedArm]);
  for (const [index, { name }] of arms.entries()) {
    if (names.has(name)) {
      const why = name === reservedArm ? `${name} is kept for H0 itself` : `two arms are named ${name}`;
      refuse(config, ['arms', index, 'name'], why);
    }
    names.add(name);
  }
  checkWorlds(config);
}

/** What is simulated says nothing about a method, and would pass for a finding beside what is real. */
function checkWorlds(config: YamlSource<ExperimentConfig>): void {
  const { models } = config.value;
  const { solver } = models;
  for (const role of ['solver', 'updater', 'judge'] as const) {
    const model = models[role];
    if (model === null) continue;
    if ((model.provider === 'simulated') !== (solver.provider === 'simulated')) {
      const why = `the solver is ${solver.provider}: simulated and real models do not mix in one experiment`;
      refuse(config, ['models', role, 'provider'], why);
    }
    if (model.provider !== 'simulated' || solver.provider !== 'simulated') continue;
    worldDocument(model, (key) => config.position(['models', role, key]));
    if (model.world !== solver.world) {
      refuse(config, ['models', role, 'world'], `the other models live in ${solver.world}`);
    }
    if (model.faults !== solver.faults) {
      const why = `the other models have ${solver.faults === undefined ? 'no fault profile' : `the faults ${solver.faults}`}`;
      refuse(config, ['models', role, model.faults === undefined ? 'world' : 'faults'], why);
    }
  }
}

function refuse(config: YamlSource<ExperimentConfig>, path: readonly PropertyKey[], why: string): never {
  const key = path.map(String).join('.');
  throw new AnnealError('ANL-1003', { key, file: config.file }, { at: [config.position(path)], why, notSpent });
}
