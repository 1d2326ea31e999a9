import { join, relative } from 'node:path';
import { AnnealError } from '../../domain/errors.ts';
import type { Budgets } from '../../schema/budgets.ts';
import type { ExperimentConfig, ModelSettings } from '../../schema/experiment-config.ts';
import type { Role } from '../../schema/lease.ts';
import { type ModelPrice, type PriceEntry, Prices, type Rates } from '../../schema/prices.ts';
import { packageRoot } from '../package-root.ts';
import { type YamlSource, readYaml } from './read-yaml.ts';

/** The prices that come with anneal, asked after those of the experiment's own file. */
export const shippedPrices = join(packageRoot, 'budgets', 'prices.yaml');

const roles = ['solver', 'updater', 'judge'] as const;

/**
 * The price of each role's model: from the experiment's own price file, else from the one that ships with anneal.
 * @throws AnnealError 10xx for a price file that does not hold, ANL-1021 where money is capped and a price is not known.
 */
export function resolvePrices(
  config: YamlSource<ExperimentConfig>,
  budgets: YamlSource<Budgets>,
  ownFile: string | null,
  environment: NodeJS.ProcessEnv,
): Partial<Record<Role, ModelPrice>> {
  const own = ownFile === null ? [] : [readYaml(ownFile, Prices, environment, config.position(['prices']))];
  const files = [...own, readYaml(shippedPrices, Prices, environment)];
  const prices: Partial<Record<Role, ModelPrice>> = {};
  for (const role of roles) {
    const settings = config.value.models[role];
    if (settings === null) continue;
    const price = priceOf(settings, files);
    if (price.kind === 'unknown' && budgets.value.experiment?.moneyUsd !== undefined) {
      throw unknownPrice(config, budgets, role, settings, price.why);
    }
    prices[role] = price;
  }
  return prices;
}

/** The longest name that fits counts; of equals, one of this very endpoint, then the one that comes first. */
function priceOf(settings: ModelSettings, files: readonly YamlSource<Prices>[]): ModelPrice {
  const { model, host } = pricedName(settings);
  for (const { value } of files) {
    const fitting = value.models
      .filter((entry) => entry.host === undefined || entry.host === host)
      .map((entry) => ({ entry, length: Math.max(...namesOf(entry).map((name) => fit(name, model))) }))
      .filter(({ length }) => length >= 0)
      .toSorted(
        (a, b) => b.length - a.length || Number(b.entry.host !== undefined) - Number(a.entry.host !== undefined),
      );
    if (fitting[0] !== undefined) return resolved(fitting[0].entry);
  }
  const elsewhere = files.some(({ value }) =>
    value.models.some((entry) => namesOf(entry).some((n) => fit(n, model) >= 0)),
  );
  const where = files.map(({ file }) => shortName(file)).join(' and ');
  const names = files.reduce((sum, { value }) => sum + value.models.length, 0);
  return {
    kind: 'unknown',
    why: elsewhere
      ? `${where} price ${model} at other endpoints than ${host ?? 'this one'}`
      : `none of the ${names} entries of ${where} is for ${model}${host === null ? '' : ` at ${host}`}`,
  };
}

/** A model's name and endpoint as price files know them. */
function pricedName(settings: ModelSettings): { readonly model: string; readonly host: string | null } {
  if (settings.provider === 'simulated') return { model: `simulated/${settings.world}`, host: null };
  return { model: settings.model, host: new URL(settings.baseUrl).host };
}

function namesOf({ model }: PriceEntry): readonly string[] {
  return typeof model === 'string' ? [model] : model;
}

/** How many characters of the name fit, a whole name before any pattern; -1 where it does not. */
function fit(name: string, model: string): number {
  if (name === model) return Number.MAX_SAFE_INTEGER;
  const prefix = name.endsWith('*') ? name.slice(0, -1) : null;
  return prefix !== null && model.startsWith(prefix) ? prefix.length : -1;
}

function resolved(entry: PriceEntry): ModelPrice {
  if ('free' in entry) return { kind: 'free', why: entry.why };
  const { longPrompt, asOf, source } = entry;
  return {
    kind: 'rates',
    rates: ratesOf(entry),
    longPrompt: longPrompt === undefined ? null : { above: longPrompt.above, rates: ratesOf(longPrompt) },
    asOf,
    source,
  };
}

function ratesOf(entry: {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
}): Rates {
  const micro = (dollars: number): number => Math.round(dollars * 1e6);
  const { input, output, cacheRead = input, cacheWrite = input } = entry;
  return { input: micro(input), output: micro(output), cacheRead: micro(cacheRead), cacheWrite: micro(cacheWrite) };
}

function shortName(file: string): string {
  const path = relative(packageRoot, file);
  return path.startsWith('..') ? file : path;
}

function unknownPrice(
  config: YamlSource<ExperimentConfig>,
  budgets: YamlSource<Budgets>,
  role: Role,
  settings: ModelSettings,
  why: string,
): AnnealError {
  const { model } = pricedName(settings);
  const cap = budgets.value.experiment?.moneyUsd ?? 0;
  return new AnnealError(
    'ANL-1021',
    { role, model },
    {
      at: [config.position(['models', role, 'model']), budgets.position(['experiment', 'moneyUsd'])],
      why: `${why}; the cap is $${cap}, and what a call costs cannot be held against it`,
      notSpent: 'nothing was started, 0 tokens spent',
    },
  );
}
