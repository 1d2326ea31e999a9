import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallRow } from '../../src/schema/call-row.ts';
import type { Report } from '../../src/schema/report.ts';
import { type Findings, WholeRun, packExperiment, reducedSplits } from '../support/whole-run.ts';
import { Killer } from './killer.ts';

const files = packExperiment({ ...reducedSplits, 'final-cross-office': ['office-mini/c1', 'office-mini/c2'] });
/** Decides the moments; another one by `ANNEAL_CHAOS_SEED`. */
const seed = Number(process.env['ANNEAL_CHAOS_SEED'] ?? 20_261_130);
/** In each of three stages. */
const quota = 4;

interface Finished {
  readonly findings: Findings;
  readonly calls: readonly CallRow[];
  readonly report: Report;
  readonly epochs: readonly number[];
  readonly faults: readonly string[];
}

async function finish(run: WholeRun): Promise<Finished> {
  const calls = await run.calls();
  const epochs = run.records().flatMap((record) => (record.kind === 'attempt' ? [record.epoch] : []));
  const finished = { findings: run.findings(), calls, report: run.report(), epochs, faults: await run.faults() };
  await run.engine.down({ now: false }, () => {});
  return finished;
}

/** What each numbered call asked and was charged where its end is known. */
function settled(calls: readonly CallRow[]): string[] {
  return calls
    .filter(({ state }) => state === 'settled')
    .map(({ role, attemptKey, call, requestHash, charged, reportedInput, reportedOutput }) =>
      [role, attemptKey, call, requestHash, charged, reportedInput, reportedOutput].join(' '),
    )
    .toSorted();
}

describe('an experiment whose worker, gateway and Temporal are killed at random moments', () => {
  let calm: Finished;
  let disturbed: Finished;
  let killer: Killer;
  let revived = false;
  const runs: WholeRun[] = [];

  beforeAll(async () => {
    const undisturbed = new WholeRun();
    runs.push(undisturbed);
    await undisturbed.start(files, 2);
    await undisturbed.complete();
    calm = await finish(undisturbed);

    const run = new WholeRun();
    runs.push(run);
    killer = new Killer(run, seed, quota);
    await run.start(files, 2);
    let up: Promise<unknown> = Promise.resolve();
    await run.complete((records) => {
      killer.consider(records);
      if (revived || killer.kills.filter(({ stage }) => stage === 'final').length < 2) return;
      revived = true;
      // Everything at once, as by a power cut; only `up` brings it back.
      for (const name of ['supervisor', 'worker', 'gateway', 'temporal'] as const) killer.kill(name);
      up = run.engine.up(() => {});
    });
    await up;
    disturbed = await finish(run);
  }, 420_000);

  afterAll(async () => {
    for (const run of runs) await run.remove();
  });

  test('was killed twelve times, each service in each stage, and once altogether', () => {
    expect(killer.kills).toHaveLength(3 * quota);
    const seen = new Set(killer.kills.map(({ stage, service }) => `${stage} ${service}`));
    expect(seen.size).toBe(9);
    expect(revived).toBe(true);
  });

  test('comes to the same scores, revisions, champions and queries', () => {
    expect(disturbed.findings).toEqual(calm.findings);
  });

  test('has no attempt twice in a denominator', () => {
    expect(disturbed.report.attempts.map(({ split, tasks, canonical }) => ({ split, tasks, canonical }))).toEqual(
      calm.report.attempts.map(({ split, tasks, canonical }) => ({ split, tasks, canonical })),
    );
    expect(disturbed.report).toMatchObject({ state: 'complete', findings: [], unscored: [] });
    expect(disturbed.report.arms[0]?.candidates).toHaveLength(3);
  });

  test('never solved a task again: kept sandboxes were adopted', () => {
    expect(disturbed.epochs.filter((epoch) => epoch > 1)).toEqual([]);
    expect(disturbed.epochs).toHaveLength(calm.epochs.length);
  });

  test('passes its audit, and its numbers are derived again, as if nobody had been killed', () => {
    expect([calm.faults, disturbed.faults]).toEqual([[], []]);
  });

  test('charged every call once; what was in flight at a kill of the gateway is listed as unknown', () => {
    expect(settled(disturbed.calls)).toEqual(settled(calm.calls));
    const unknown = disturbed.calls.filter(({ state }) => state === 'unknown');
    const others = disturbed.calls.filter(({ state }) => state !== 'unknown' && state !== 'settled');
    expect(others).toEqual([]);
    const gatewayKills = killer.kills.filter(({ service }) => service === 'gateway').length + 1;
    expect(unknown.length).toBeLessThanOrEqual(2 * gatewayKills);
    const totals = (report: Report) => {
      const tokens = report.resources.tokens ?? [];
      return tokens.map(({ role, reported, charged, unknownCharged }) => [role, reported, charged - unknownCharged]);
    };
    expect(totals(disturbed.report)).toEqual(totals(calm.report));
  });
});
