import { type ExperimentFiles, replaced, validExperiment } from '../../support/experiment-files.ts';
import type { RefusedExperiment } from './refused-experiments.ts';

const experiment = 'experiment.yaml';

const priced = replaced(validExperiment, experiment, 'seed: 7', 'prices: prices.yaml\nseed: 7');
const priceList = 'version: 1\nmodels:\n  - { model: m, input: 1, output: 2, asOf: 2026-11-01, source: a list }\n';

/** `what` is replaced by `by` in the budgets of a valid set. */
function budgets(title: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  return { title, files: replaced(validExperiment, 'budgets.yaml', what, by), code, at: `budgets.yaml:${at}` };
}

/** `what` is replaced by `by` in a valid price file that the experiment names. */
function prices(title: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  const files = replaced({ ...priced, 'prices.yaml': priceList }, 'prices.yaml', what, by);
  return { title, files, code, at: `prices.yaml:${at}` };
}

const cap = '\nexperiment:\n  moneyUsd: 5\n';
const realModel = 'provider: openai\n    model: model-nobody-lists';

/** A valid set with a cap on money whose models are both as given. */
function capped(model: string): ExperimentFiles {
  const simulated = 'provider: simulated\n    world: no-transfer';
  const files = replaced(validExperiment, 'budgets.yaml', 'searchHours: 1\n', `searchHours: 1${cap}`);
  return replaced(replaced(files, experiment, simulated, model), experiment, simulated, model);
}

/** Price files and caps that do not hold. */
export const refusedPrices: readonly RefusedExperiment[] = [
  { title: 'a price file that does not exist', files: priced, code: 'ANL-1004', at: `${experiment}:9:1` },
  prices('a price without a date', ', asOf: 2026-11-01', '', 'ANL-1006', '3:5'),
  prices('a price without a source', ', source: a list', '', 'ANL-1006', '3:5'),
  prices('a price without an output rate', ', output: 2', '', 'ANL-1006', '3:5'),
  prices('a price below zero', 'input: 1', 'input: -1', 'ANL-1003', '3:17'),
  prices('a price in words', 'input: 1', 'input: cheap', 'ANL-1003', '3:17'),
  prices('a price finer than a millionth of a dollar', 'input: 1', 'input: 0.0000001', 'ANL-1003', '3:17'),
  prices('an unknown key of a price', 'input: 1', 'input: 1, batch: 0.5', 'ANL-1002', '3:27'),
  prices('a free model that has a price', 'input: 1', 'free: true, why: ours', 'ANL-1002', '3:40'),
  budgets('a cap of no money', 'searchHours: 1\n', `searchHours: 1${cap.replace('5', '0')}`, 'ANL-1003', '14:3'),
  budgets('a cap in words', 'searchHours: 1\n', `searchHours: 1${cap.replace('5', '$5')}`, 'ANL-1003', '14:3'),
  budgets(
    'an unknown cap',
    'searchHours: 1\n',
    `searchHours: 1${cap.replace('moneyUsd', 'money')}`,
    'ANL-1002',
    '14:3',
  ),
  {
    title: 'a cap on money with a model that has no price',
    files: capped(realModel),
    code: 'ANL-1021',
    at: `${experiment}:20:5`,
  },
  {
    title: 'a cap on money with a model that has a price at another endpoint only',
    files: capped('provider: openai\n    baseUrl: https://resold.example/v1\n    model: gpt-4.1'),
    code: 'ANL-1021',
    at: `${experiment}:21:5`,
  },
];
