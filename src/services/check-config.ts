import { AnnealError } from '../domain/errors.ts';
import type { ExperimentConfig } from '../schema/experiment-config.ts';
import type { YamlSource } from './read-yaml.ts';
import { worldDocument } from './world-document.ts';

const notSpent = 'nothing was started, 0 tokens spent';

/** Records of H0, which belong to no updater, carry this instead of an arm's name. */
const reservedArm = 'h0';

/**
 * Check what one value of an experiment file says against another.
 * @throws AnnealError ANL-1003 for two arms of one name, an arm of a reserved name, a world that does not exist, and
 * models that live in different worlds.
 */
export function checkConfig(config: YamlSource<ExperimentConfig>): void {
  const { arms, models } = config.value;
  const names = new Set<string>([reservedArm]);
  for (const [index, { name }] of arms.entries()) {
    if (names.has(name)) {
      const why = name === reservedArm ? `${name} is kept for H0 itself` : `two arms are named ${name}`;
      refuse(config, ['arms', index, 'name'], why);
    }
    names.add(name);
  }
  let world: string | null = null;
  for (const role of ['solver', 'updater', 'judge'] as const) {
    const model = models[role];
    if (model?.provider !== 'simulated') continue;
    worldDocument(model.world, config.position(['models', role, 'world']));
    world ??= model.world;
    if (world !== model.world) refuse(config, ['models', role, 'world'], `the other models live in ${world}`);
  }
}

function refuse(config: YamlSource<ExperimentConfig>, path: readonly PropertyKey[], why: string): never {
  const key = path.map(String).join('.');
  throw new AnnealError('ANL-1003', { key, file: config.file }, { at: [config.position(path)], why, notSpent });
}
