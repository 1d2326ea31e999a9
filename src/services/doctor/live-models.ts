import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Budgets } from '../../schema/budgets.ts';
import { ExperimentConfig, type ModelSettings } from '../../schema/experiment-config.ts';
import type { Role } from '../../schema/lease.ts';
import type { ModelPrice } from '../../schema/prices.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { findExperiment } from '../data-home/experiment-directory.ts';
import { readYaml } from '../freeze/read-yaml.ts';
import { resolvePrices } from '../freeze/resolve-prices.ts';

/** One model of an experiment with every role that it has there. */
export interface LiveModel {
  readonly roles: readonly Role[];
  readonly settings: ModelSettings;
  readonly price: ModelPrice;
}

type Models = Readonly<Partial<Record<Role, ModelSettings | null>>>;

/**
 * The models that an experiment configures, each once, from a file or from what is stored under an id or name. Of a file
 * only models, budgets and prices are read.
 * @throws AnnealError as `run` does for what of these does not hold, ANL-1008 for an experiment that is not here; what looks like a path is one.
 */
export function liveModels(
  wanted: string,
  workingDirectory: string,
  home: DataHome,
  environment: NodeJS.ProcessEnv,
): LiveModel[] {
  const file = resolve(workingDirectory, wanted);
  if (!existsSync(file) && !isPath(wanted)) {
    const { identity, operational } = findExperiment(home, wanted);
    return distinct(identity.models, operational.prices ?? {});
  }
  const config = readYaml(file, ExperimentConfig, environment);
  const beside = (name: string): string => resolve(dirname(file), name);
  const { models, budgets, prices } = config.value;
  const source = readYaml(beside(budgets), Budgets, environment, config.position(['budgets']));
  const own = prices === undefined ? null : beside(prices);
  return distinct(models, resolvePrices(config, source, own, environment));
}

/** An id or name of an experiment has neither a slash nor the ending of a file. */
export function isPath(wanted: string): boolean {
  return wanted.includes('/') || /\.ya?ml$/.test(wanted);
}

function distinct(models: Models, prices: Readonly<Partial<Record<Role, ModelPrice>>>): LiveModel[] {
  const found = new Map<string, { roles: Role[]; settings: ModelSettings; price: ModelPrice }>();
  for (const role of ['solver', 'updater', 'judge'] as const) {
    const settings = models[role];
    if (settings === undefined || settings === null) continue;
    const key = JSON.stringify(settings);
    const known = found.get(key);
    if (known === undefined) {
      const price = prices[role] ?? { kind: 'unknown', why: 'it was frozen before there were prices' };
      found.set(key, { roles: [role], settings, price });
    } else known.roles.push(role);
  }
  return [...found.values()];
}
