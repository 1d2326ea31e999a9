import { join } from 'node:path';
import { packageRoot } from '../src/services/package-root.ts';
import type { FaultProfileName } from '../src/schema/fault-profile.ts';
import type { WorldName } from '../src/schema/world.ts';

/** Changes to the experiment of a world; paths are absolute or relative to the file. */
export interface WorldExperimentChanges {
  /** Told apart in the experiment's name. */
  readonly tag?: string;
  readonly harness?: string;
  readonly splits?: string;
  readonly budgets?: string;
  readonly updater?: 'ace' | 'static';
  /** Fault profile of all models. */
  readonly faults?: FaultProfileName;
}

/** The text of an experiment file like `experiments/worlds.yaml`, for one world and seed. */
export function worldExperiment(world: WorldName, seed: number, changes: WorldExperimentChanges = {}): string {
  const faults = changes.faults === undefined ? '' : `, faults: ${changes.faults}`;
  const model = `{ provider: simulated, world: "${world}"${faults} }`;
  const updater = changes.updater ?? 'ace';
  return `version: 1
name: world-${world}-seed-${seed}${changes.tag === undefined ? '' : `-${changes.tag}`}
harness: ${changes.harness ?? join(packageRoot, 'harnesses', 'h0')}
tasks:
  - pack: office-mini
splits: ${changes.splits ?? join(packageRoot, 'splits', 'office-mini.yaml')}
budgets: ${changes.budgets ?? join(packageRoot, 'budgets', 'worlds.yaml')}
seed: ${seed}
arms:
  - name: ${updater}
    updater: ${updater}
models:
  solver: ${model}
  updater: ${model}
lanes: 2
`;
}
