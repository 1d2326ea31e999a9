import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readWorld } from '../src/adapters/world-file.ts';
import { buildReport } from '../src/report/numbers/build-report.ts';
import { WorldName, type World } from '../src/schema/world.ts';
import { createEngine } from '../src/services/create-engine.ts';
import { createDataHome, dataHomeAt } from '../src/services/data-home/data-home.ts';
import type { Engine } from '../src/services/engine.ts';
import { experimentDirectory } from '../src/services/data-home/experiment-directory.ts';
import { readRecords } from '../src/services/data-home/read-records.ts';
import { freezeExperiment } from '../src/services/freeze/freeze-experiment.ts';
import { packageRoot } from '../src/services/package-root.ts';
import { ensurePythonEnvironments, environmentNames } from '../src/services/python/python-environments.ts';
import { storeExperiment } from '../src/services/freeze/store-experiment.ts';
import { worldsDirectory } from '../src/services/freeze/world-document.ts';
import { recoveredTruth } from './recovered-truth.ts';
import { worldExperiment } from './world-experiment.ts';
import { recovered, worldsTable, type WorldRun } from './worlds-table.ts';

const home = dataHomeAt(join(packageRoot, '.anneal-bench'));
const pollMs = 500;

/**
 * `npm run worlds [-- WORLD… --seeds N]`: a whole experiment in every world, with real jails and judges on the whole
 * built-in pack, and the table of declared beside recovered signs. About a minute for each; exit 1 where one is missed.
 */
async function worlds(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seeds: { type: 'string', default: '1' } },
  });
  const names = positionals.length === 0 ? WorldName.options : positionals.map((name) => WorldName.parse(name));
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  createDataHome(home);
  await ensurePythonEnvironments(home, environmentNames, say);
  const engine = createEngine(home, process.env);
  await engine.up(say);
  const runs: WorldRun[] = [];
  try {
    for (const name of names) {
      const world = readWorld(worldsDirectory, name);
      for (const seed of seeds) {
        const started = Date.now();
        const run = await runWorld(engine, world, seed);
        runs.push(run);
        say(
          `${name} seed ${seed}: ${recovered(run) ? 'recovered' : 'MISSED'}, ${Math.round((Date.now() - started) / 1000)} s`,
        );
      }
    }
  } finally {
    await engine.down({ now: true }, say);
  }
  process.stdout.write(worldsTable(runs));
  process.exit(runs.every(recovered) ? 0 : 1);
}

async function runWorld(engine: Engine, world: World, seed: number): Promise<WorldRun> {
  const folder = mkdtempSync(join(tmpdir(), 'anneal-world-'));
  const file = join(folder, 'experiment.yaml');
  writeFileSync(file, worldExperiment(world.name, seed));
  const frozen = await freezeExperiment(file, home, process.env, () => undefined);
  const { lock } = await storeExperiment(home, frozen, async () => false, true);
  rmSync(folder, { recursive: true });
  await engine.start(lock);
  while (true) {
    const live = await engine.live(lock);
    if (live !== null && live.run === 'completed') break;
    if (live !== null && live.run !== 'running') throw new Error(`the experiment in ${world.name} ${live.run}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const report = buildReport(lock, readRecords(experimentDirectory(home, lock.id)));
  return { world, seed, truth: recoveredTruth(report) };
}

await worlds();
