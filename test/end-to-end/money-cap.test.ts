import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estimatePlan } from '../../src/report/plan/estimate-plan.ts';
import { exitCodeOf } from '../../src/report/exit-code.ts';
import { renderReport } from '../../src/report/documents/render-report.ts';
import type { CallRow } from '../../src/schema/call-row.ts';
import type { Report } from '../../src/schema/report.ts';
import { freezeExperiment } from '../../src/services/freeze/freeze-experiment.ts';
import { WholeRun, packExperiment } from '../support/whole-run.ts';

/** A test price for a model that costs nothing, so that nothing real is spent. */
const prices = `version: 1
models:
  - model: simulated/no-transfer
    input: 1000
    output: 2000
    cacheRead: 100
    asOf: 2026-11-30
    source: a test price
`;
const model = '{ provider: simulated, world: no-transfer, sampling: { maxOutputTokens: 512 } }';
const splits = {
  feedback: [
    'office-mini/p2',
    'office-mini/p3',
    'office-mini/d2',
    'office-mini/d3',
    'office-mini/x1',
    'office-mini/x2',
  ],
  selection: ['office-mini/p1', 'office-mini/d1'],
  'final-in-domain': ['office-mini/x4'],
  'final-cross-office': [],
};

function files(cap: string | null): Readonly<Record<string, string>> {
  const pack = packExperiment(splits, model, 3);
  return {
    ...pack,
    'experiment.yaml': `${pack['experiment.yaml'] ?? ''}prices: prices.yaml\n`,
    'budgets.yaml': `${pack['budgets.yaml'] ?? ''}${cap === null ? '' : `experiment: { ${cap} }\n`}`,
    'prices.yaml': prices,
  };
}

/** One data home: the services stay up over the experiments of this file. */
const run = new WholeRun();
let whole: Report;

beforeAll(async () => {
  await run.start(files(null), 2);
  await run.complete();
  whole = run.report();
}, 200_000);

afterAll(() => run.remove());

describe('a cap on money of half of what the plan says at p90', () => {
  let half: number;
  let report: Report;
  let calls: CallRow[];

  beforeAll(async () => {
    const earlier = [{ lock: run.lock, records: run.records() }];
    const { lock } = await freezeExperiment(join(run.root, 'experiment.yaml'), run.home, {}, () => {});
    half = Math.round((estimatePlan(lock, [], false, earlier).microUsd.p90 ?? 0) / 2) / 1e6;
    await run.start(files(`moneyUsd: ${half}`), 2);
    await run.complete();
    report = run.report();
    calls = await run.calls();
  }, 200_000);

  test('is of a plan that costs something, and of which everything was done', () => {
    expect(half).toBeGreaterThan(1);
    expect(whole).toMatchObject({ notDone: [], findings: [] });
    expect(whole.arms[0]?.candidates).toHaveLength(3);
    expect(exitCodeOf(whole)).toBe(0);
  });

  test('is never exceeded, whatever was in flight', () => {
    const spent = calls.reduce((sum, row) => sum + (row.chargedMicroUsd ?? 0), 0);
    expect(spent).toBeLessThanOrEqual(half * 1e6);
    expect(report.resources.money).toMatchObject({ microUsd: spent, unpricedCalls: 0, priced: 1 });
    expect(report.resources.caps).toEqual([{ kind: 'money', limit: Math.round(half * 1e6), used: spent }]);
  });

  test('leaves an experiment that passes its audit, and whose numbers are derived again', async () => {
    expect(await run.faults()).toEqual([]);
  });

  test('stops the search before it eats what the finals need', () => {
    const [arm] = report.arms;
    expect(arm?.ended).toMatch(/refused: money/);
    expect(arm?.candidates.length).toBeGreaterThan(0);
    expect(arm?.candidates.length).toBeLessThan(3);
  });

  test('leaves every reserved final attempt its money: all of them are scored', () => {
    expect(report.baseline.all).toMatchObject({ scored: 1, planned: 1 });
    const evolved = report.arms[0]?.champions.find(({ label }) => label === 'bestEvolved');
    expect(evolved?.all).toMatchObject({ scored: 1, planned: 1, verdict: { kind: 'covered' } });
    expect(report.unscored).toEqual([]);
  });

  test('exits with 4 and says what was not done, with both figures', () => {
    expect(exitCodeOf(report)).toBe(4);
    const said = report.notDone.map(({ arm, what }) => `${arm}: ${what}`);
    expect(said).toEqual([
      expect.stringMatching(/^ace: a pass: .* need \$\d.*, \$\d.* of the cap are left to this search$/),
      expect.stringMatching(/^ace: \d of 3 candidates, \d of 4 selection queries$/),
    ]);
    const screen = renderReport(report);
    expect(screen).toMatch(/money {3}solver \$.* · updater \$.* = \$.* of \$/);
    expect(screen).toMatch(/not done {2}ace: /);
  });

  test('is divided on record before anything is spent: first for the baseline, then for the search', () => {
    const shares = report.decisions.filter(({ event }) => event === 'share-held').map(({ reason }) => reason);
    expect(shares).toEqual([
      expect.stringMatching(
        /^\$0 of \$.* used, \$.* held for the finals \(no attempt was made yet\): \$.* for the baseline$/,
      ),
      expect.stringMatching(/held for the finals \(an attempt takes \$.*\): \$.* for ace$/),
    ]);
  });
});

describe('a cap on solver tokens of half of what the whole experiment took', () => {
  let half: number;
  let report: Report;
  let calls: CallRow[];

  beforeAll(async () => {
    const solver = (whole.resources.tokens ?? []).find(({ role }) => role === 'solver');
    half = Math.round((solver?.charged ?? 0) / 2);
    await run.start(files(`solverTokens: ${half}`), 2);
    await run.complete();
    report = run.report();
    calls = await run.calls();
  }, 200_000);

  test('is never exceeded by the solver, and bears no call of the updater', () => {
    const charged = (role: string): number =>
      calls.filter((row) => row.role === role).reduce((sum, row) => sum + (row.charged ?? 0), 0);
    expect(half).toBeGreaterThan(1_000);
    expect(charged('solver')).toBeLessThanOrEqual(half);
    expect(charged('updater')).toBeGreaterThan(0);
    expect(report.resources.caps).toEqual([{ kind: 'solver-tokens', limit: half, used: charged('solver') }]);
  });

  test('leaves an experiment that passes its audit, and whose numbers are derived again', async () => {
    expect(await run.faults()).toEqual([]);
  });

  test('ends the search and not the finals: all that was held back for them is scored', () => {
    const [arm] = report.arms;
    expect(arm?.ended).toMatch(/refused: /);
    expect(arm?.candidates.length).toBeLessThan(3);
    expect(report.baseline.all).toMatchObject({ scored: 1, planned: 1 });
    expect(report).toMatchObject({ state: 'complete', unscored: [], findings: [] });
  });

  test('exits with 4 and says what was not done, with both figures', () => {
    expect(exitCodeOf(report)).toBe(4);
    expect(report.notDone.map(({ arm, what }) => `${arm}: ${what}`)).toEqual([
      expect.stringMatching(
        /^ace: a pass: .* needs \d+ solver tokens .*, \d+ solver tokens of the cap are left to this search$/,
      ),
      expect.stringMatching(/^ace: \d of 3 candidates, \d of 4 selection queries$/),
    ]);
    expect(renderReport(report)).toMatch(/not done {2}ace: /);
  });
});
