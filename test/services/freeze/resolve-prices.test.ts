import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Budgets } from '../../../src/schema/budgets.ts';
import { ExperimentConfig } from '../../../src/schema/experiment-config.ts';
import { Prices } from '../../../src/schema/prices.ts';
import { readYaml } from '../../../src/services/freeze/read-yaml.ts';
import { resolvePrices, shippedPrices } from '../../../src/services/freeze/resolve-prices.ts';
import { type ExperimentFolder, layOut, replaced, validExperiment } from '../../support/experiment-files.ts';

const folders: ExperimentFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

/** The solver's price for a model, with a price file of the experiment's own where one is given. */
function priceOf(model: string, own: string | null) {
  const folder = layOut(
    replaced(validExperiment, 'experiment.yaml', 'provider: simulated\n    world: no-transfer', model),
  );
  folders.push(folder);
  const config = readYaml(folder.file, ExperimentConfig, {});
  const budgets = readYaml(join(folder.root, 'budgets.yaml'), Budgets, {});
  const ownFile = own === null ? null : join(folder.root, 'own.yaml');
  if (ownFile !== null) writeFileSync(ownFile, `version: 1\nmodels:\n${own}`);
  return resolvePrices(config, budgets, ownFile, {}).solver;
}

function openai(model: string, baseUrl = 'https://api.openai.com/v1'): string {
  return `provider: openai\n    baseUrl: ${baseUrl}\n    model: ${model}`;
}

function entry(model: string, input: number, more = ''): string {
  return `  - { model: ${model}, input: ${input}, output: 9, asOf: 2026-11-01, source: a list${more} }\n`;
}

const simulated = 'provider: simulated\n    world: no-transfer';

describe('the price of a model', () => {
  test.each([
    ['its own name before any pattern', openai('gpt-x'), entry('gpt-x*', 1) + entry('gpt-x', 2), 2],
    ['the longest pattern that fits', openai('gpt-x-mini-2026'), entry('gpt-*', 1) + entry('gpt-x-mini*', 2), 2],
    ['one of its endpoint before one of any', openai('m'), entry('m', 1) + entry('m', 2, ', host: api.openai.com'), 2],
    ['one of several names', openai('m-2'), entry('[m, m-2]', 3), 3],
    ["the experiment's own file before the one that ships", openai('gpt-4.1'), entry('gpt-*', 7), 7],
    ['the one that ships where the own file has none', openai('gpt-4.1'), entry('other', 7), 2],
    ['a port of its own', openai('m', 'http://127.0.0.1:8080/v1'), entry('m', 4, ', host: "127.0.0.1:8080"'), 4],
    ['a test price for the simulated model', simulated, entry('simulated/no-transfer', 1000), 1000],
  ])('is %s', (_, model, own, input) => {
    expect(priceOf(model, own)).toMatchObject({
      kind: 'rates',
      rates: { input: input * 1e6, output: expect.anything() },
    });
  });

  test('has the input rate for what is read from and written to a cache unless told otherwise', () => {
    const rates = { input: 5e6, cacheRead: 5e6, cacheWrite: 5e6 };
    expect(priceOf(openai('m'), entry('m', 5))).toMatchObject({ rates });
    expect(priceOf(openai('m'), entry('m', 5, ', cacheRead: 0.5'))).toMatchObject({
      rates: { ...rates, cacheRead: 5e5 },
    });
  });

  test.each([
    ['nobody lists', openai('model-nobody-lists'), 'is for model-nobody-lists at api.openai.com'],
    [
      'is listed for other endpoints',
      openai('gpt-4.1', 'https://resold.example/v1'),
      'at other endpoints than resold.example',
    ],
  ])('is unknown where the model %s, never zero', (_, model, why) => {
    expect(priceOf(model, null)).toMatchObject({ kind: 'unknown', why: expect.stringContaining(why) });
  });

  test('is none for the simulated model, and says why', () => {
    expect(priceOf(simulated, null)).toEqual({
      kind: 'free',
      why: 'the simulated model is part of anneal, no request leaves this machine',
    });
  });
});

describe('the price file that ships', () => {
  test('holds, with a date and a source for every price', () => {
    const { models } = readYaml(shippedPrices, Prices, {}).value;
    expect(models.length).toBeGreaterThan(5);
  });
});
