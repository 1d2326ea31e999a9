import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dealSplits } from '../../bench/deal-splits.ts';
import { Budgets } from '../../src/schema/budgets.ts';
import { ExperimentConfig } from '../../src/schema/experiment-config.ts';
import { Splits } from '../../src/schema/splits.ts';
import { WorldName } from '../../src/schema/world.ts';
import { checkConfig } from '../../src/services/freeze/check-config.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { readYaml } from '../../src/services/freeze/read-yaml.ts';
import { parse } from 'yaml';

const file = join(packageRoot, 'experiments', 'worlds.yaml');

test.each(WorldName.options)('the experiment of all worlds runs in %s when that is asked for', (name) => {
  const config = readYaml(file, ExperimentConfig, { ANNEAL_WORLD: name });
  checkConfig(config);
  expect(config.value.name).toBe(`world-${name}`);
  expect(config.value.models).toMatchObject({ solver: { world: name }, updater: { world: name } });
  expect(readYaml(join(file, '..', config.value.budgets), Budgets, {}).value.attempt.tokens).toBe(12_000);
});

test('without a wish it is the world of the demo', () => {
  expect(readYaml(file, ExperimentConfig, {}).value.models.solver).toMatchObject({ world: 'no-transfer' });
});

test('splits dealt by seed put no task into two splits and differ from seed to seed', () => {
  const dealt = Array.from({ length: 20 }, (_, seed) => Splits.parse(parse(dealSplits(seed))));
  for (const { name: _name, version: _version, ...splits } of dealt) {
    const tasks = Object.values(splits).flat();
    expect(new Set(tasks).size).toBe(tasks.length);
    expect(tasks).toHaveLength(3 + 3 + 3 + 2);
  }
  expect(new Set(dealt.map((splits) => JSON.stringify(splits['selection']))).size).toBeGreaterThan(5);
});
