import { execa } from 'execa';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';
import { WholeRun, packExperiment } from '../support/whole-run.ts';

let run: WholeRun;
let launches: readonly { readonly experiment: string; readonly start: string }[];

beforeAll(async () => {
  run = new WholeRun();
  const splits = {
    feedback: ['office-mini/x1'],
    selection: ['office-mini/x3'],
    'final-in-domain': ['office-mini/x4'],
    'final-cross-office': [],
  };
  await run.freeze(packExperiment(splits, undefined, 1), 2);
  const command = [join(packageRoot, 'dist', 'src', 'cli', 'main.js'), 'run', 'experiment.yaml', '--detach', '--json'];
  const environment = { ...process.env, ANNEAL_HOME: run.home.root };
  const both = [1, 2].map(() => execa(process.execPath, command, { cwd: run.root, env: environment }));
  launches = (await Promise.all(both)).map(({ stdout }) => JSON.parse(stdout) as (typeof launches)[number]);
  await run.complete();
}, 240_000);

afterAll(() => run.remove());

test('two runs of one file at once are one experiment, and nothing in it is made twice', () => {
  expect(launches.map(({ experiment }) => experiment)).toEqual([run.lock.id, run.lock.id]);
  expect(launches.filter(({ start }) => start === 'started').length).toBeGreaterThanOrEqual(1);
  const keys = run.records().flatMap((record) => (record.kind === 'attempt' ? [`${record.key} ${record.epoch}`] : []));
  expect(keys.length).toBeGreaterThan(0);
  expect(new Set(keys).size).toBe(keys.length);
  expect(run.report()).toMatchObject({ state: 'complete', findings: [], unscored: [] });
});
