import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dealSplits } from '../../bench/deal-splits.ts';
import { recoveredTruth, type RecoveredTruth } from '../../bench/recovered-truth.ts';
import { worldExperiment } from '../../bench/world-experiment.ts';
import { worldsTable, type WorldRun } from '../../bench/worlds-table.ts';
import type { Report } from '../../src/schema/report.ts';
import type { World } from '../../src/schema/world.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { publishedWorlds } from '../simulated/published-worlds.ts';
import { WorldLab } from '../support/world-lab.ts';

const seeds = [1, 2, 3, 4, 5];
const cases = publishedWorlds.flatMap((world) => seeds.map((seed) => ({ world, seed, name: world.name })));
const budgets = readFileSync(join(packageRoot, 'budgets', 'worlds.yaml'), 'utf8')
  .replace('candidates: 3', 'candidates: 2')
  .replace('selectionQueries: 4', 'selectionQueries: 3');

interface Found {
  readonly report: Report;
  readonly truth: RecoveredTruth;
}

let lab: WorldLab;
const found = new Map<string, Found>();
const of = (world: World, seed: number): Found => {
  const run = found.get(`${world.name} ${seed}`);
  if (run === undefined) throw new Error(`no experiment of ${world.name} with seed ${seed}`);
  return run;
};

beforeAll(async () => {
  lab = await WorldLab.open();
  await Promise.all(
    cases.map(async ({ world, seed }) => {
      const folder = lab.lay({ 'splits.yaml': dealSplits(seed), 'budgets.yaml': budgets });
      const files = { splits: join(folder, 'splits.yaml'), budgets: join(folder, 'budgets.yaml') };
      const { report } = await lab.run(worldExperiment(world.name, seed, files));
      found.set(`${world.name} ${seed}`, { report, truth: recoveredTruth(report) });
    }),
  );
}, 600_000);

afterAll(async () => {
  const runs = cases.map(({ world, seed }): WorldRun => ({ world, seed, truth: of(world, seed).truth }));
  process.stdout.write(`\n${worldsTable(runs)}\n`);
  await lab.close();
});

describe('the engine finds what a world declares', () => {
  test.each(cases)('$name, seed $seed: the sign on every split', ({ world, seed }) => {
    expect(of(world, seed).truth.signs).toEqual(world.expectedSigns);
  });

  test.each(cases)('$name, seed $seed: whether agent errors rise', ({ world, seed }) => {
    const none = { selection: '0', inDomain: '0', crossOffice: '0' };
    expect(of(world, seed).truth.agentErrors).toEqual(world.expectedAgentErrors ?? none);
  });

  test.each(cases)('$name, seed $seed: the gate takes a candidate only where selection rises', ({ world, seed }) => {
    const { gated } = of(world, seed).truth;
    expect(gated === 'h0').toBe(world.expectedSigns.selection !== '+');
  });

  test.each(cases)('$name, seed $seed: on every planned task, without a contradiction', ({ world, seed }) => {
    const { report } = of(world, seed);
    expect(report).toMatchObject({ state: 'complete', simulated: true, world: world.name, unscored: [], findings: [] });
    expect(report.labels[0]).toContain(`world ${world.name} · tests the engine, says nothing about any method`);
  });
});
