import { describe, expect, it } from 'vitest';
import { estimatePlan } from '../../../src/report/plan/estimate-plan.ts';
import type { ModelPrice } from '../../../src/schema/prices.ts';
import { type LockChanges, buildLock } from '../../support/lock-builder.ts';
import { demoRecords } from '../../support/demo-story.ts';
import { Story } from '../../support/record-builders.ts';

const dollar = 1_000_000;
const rates = { input: 2 * dollar, output: 8 * dollar, cacheRead: dollar / 2, cacheWrite: 2 * dollar };
const price: ModelPrice = { kind: 'rates', rates, longPrompt: null, asOf: '2026-11-01', source: 'a price list' };
const prices = { solver: price, updater: price };

function planOf(changes: LockChanges = {}, story?: Story) {
  const earlier = story === undefined ? [] : [{ lock: story.lock, records: story.records }];
  return estimatePlan(buildLock(changes), [], false, earlier);
}

/** Two attempts of 2,000 tokens and 12 seconds each with the same models, and an updater that took 600 for each of two. */
function earlierRun(changes: LockChanges = {}): Story {
  const story = new Story(buildLock({ id: 'exp_00000001', ...changes }));
  return story.attempts('h0', { p2: 0.5, d2: 0.5 }).usage('ace', 'updater', { charged: 1200 });
}

describe('what a plan counts', () => {
  it.each([
    ['every part of one evolving arm', { arms: ['ace'] }, [3, 6, 9, 14], 4],
    ['H0 alone where no arm evolves', { arms: ['static'] }, [3, 0, 0, 7], 1],
    [
      'feedback, candidates and finals of each arm that evolves',
      { arms: ['static', 'ace', 'other'] },
      [3, 12, 18, 21],
      9,
    ],
  ])('is %s', (_, changes, attempts, queries) => {
    const plan = planOf(changes);
    expect(plan.parts.map((part) => part.attempts)).toEqual(attempts);
    expect(plan.queries.planned).toBe(queries);
  });

  it('has every retry in its ceiling, and no attempt twice otherwise', () => {
    expect(planOf().attempts).toEqual({ p50: 32, p90: 32, ceiling: 96 });
  });

  it('leaves out what stands on record of the same experiment', () => {
    const story = new Story().attempts('h0', { p1: 0.5, d1: 0.5, p2: 0.5 }).attempts('ace/cand-1', { p1: 1 });
    const plan = estimatePlan(story.lock, story.records, true, []);
    expect(plan.parts.map(({ part, reused }) => [part, reused])).toEqual([
      ['baseline', 2],
      ['feedback', 1],
      ['selection', 1],
      ['final', 0],
    ]);
    expect(plan.attempts.p50).toBe(28);
  });

  it.each([
    ['the first search goes on', 2, { feedback: 2, selection: 6, final: 14 }, [2_000_000, 4]],
    ['every search has ended', 3, { feedback: 0, selection: 0, final: 14 }, [0, 4]],
    ['half of the finals are made', 4, { feedback: 0, selection: 0, final: 5 }, [0, 4]],
    ['it is complete', 5, { feedback: 0, selection: 0, final: 0 }, [0, 4]],
  ])('is what is left where %s', (_, stage, open, [updaterCeiling, queries]) => {
    const plan = estimatePlan(buildLock(), demoRecords(stage), true, []);
    const left = plan.parts.map(({ part, attempts, reused }) => [part, attempts - reused]);
    expect(Object.fromEntries(left)).toEqual({ baseline: 0, ...open });
    const attempts = Object.values(open).reduce((sum, count) => sum + count, 0);
    expect(plan.attempts).toEqual({ p50: attempts, p90: attempts, ceiling: 3 * attempts });
    expect(plan.updaterTokens.ceiling).toBe(updaterCeiling);
    expect(plan.queries.planned).toBe(queries);
  });

  it.each([
    ['complete', 'complete'],
    ['cancelled', 'cancelled'],
  ] as const)('is nothing at all of an experiment that is %s, whatever it had planned', (reason, standing) => {
    const story = new Story().attempts('h0', { p1: 0.5, d1: 0.5 }).closed(reason);
    const plan = estimatePlan(story.lock, story.records, true, []);
    const nothing = { p50: 0, p90: 0, ceiling: 0 };
    expect(plan).toMatchObject({ standing, attempts: nothing, solverTokens: nothing, updaterTokens: nothing });
    expect(plan).toMatchObject({ wallMs: nothing, microUsd: nothing, caps: [] });
  });

  it('leaves of the search time what its records leave, and all of that of arms to come', () => {
    const hour = 3_600_000;
    const changes = { arms: ['ace', 'other'] };
    const story = new Story(buildLock(changes)).phase('search').attempts('h0', { p2: 0.5 });
    const { wallMs } = estimatePlan(story.lock, story.records, true, []);
    const fresh = planOf(changes).wallMs;
    expect(wallMs.searchLimit).toBe(2 * hour);
    expect(wallMs.ceiling ?? 0).toBeLessThan(fresh.ceiling ?? 0);
    story
      .decision('ace', 'search-ended', 'all batches are done')
      .decision('other', 'search-ended', 'all batches are done');
    const ended = estimatePlan(story.lock, story.records, true, []).wallMs;
    expect((wallMs.ceiling ?? 0) - (ended.ceiling ?? 0)).toBeGreaterThan(hour);
  });
});

describe('where its figures come from', () => {
  it('is what attempts of the same model took here', () => {
    const plan = planOf({}, earlierRun());
    expect(plan.solverBasis).toEqual({ kind: 'records', attempts: 2, experiments: ['exp_00000001'] });
    expect(plan.solverTokens).toMatchObject({ p50: 64_000, p90: 64_000 });
    expect(plan.wallMs.p50).toBe((32 * 12_000) / 2);
    expect(plan.updaterTokens.p50).toBe(6 * 600);
  });

  it('is a declared share of the limits where nobody ran that model, and says so', () => {
    const plan = planOf({ real: true }, earlierRun());
    expect([plan.solverBasis, plan.updaterBasis]).toEqual([{ kind: 'defaults' }, { kind: 'defaults' }]);
    expect(plan.solverTokens.p50).toBe(32 * 40_000);
    expect(plan.solverTokens.p90).toBeGreaterThan(32 * 40_000);
  });

  it('takes the ceiling from the budgets alone', () => {
    const plan = planOf({}, earlierRun());
    expect(plan.solverTokens.ceiling).toBe(32 * 400_000 * 3);
    expect(plan.updaterTokens).toMatchObject({ ceiling: 2_000_000, limit: 2_000_000 });
  });
});

describe('its money', () => {
  it('is none where every model is free', () => {
    expect(planOf()).toMatchObject({ money: 'free', microUsd: { p50: 0, p90: 0, ceiling: 0 } });
  });

  it('is unknown, never zero, where a price is', () => {
    const plan = planOf({ real: true, prices: { solver: { kind: 'unknown', why: 'not listed' } } });
    expect(plan).toMatchObject({ money: 'unknown', microUsd: { p50: null, p90: null, ceiling: null } });
  });

  it('is that of earlier attempts at the same price', () => {
    const story = new Story(buildLock({ id: 'exp_00000001', real: true, prices }));
    const [template] = new Story().attempts('h0', { p2: 0.5 }).records;
    if (template?.kind !== 'attempt') throw new Error('an attempt is needed');
    const usage = { ...template.usage, microUsdCharged: 3 * dollar };
    story.attempts('h0', { p2: 0.5, d2: 0.5 }, { usage }).usage('ace', 'updater', { charged: 2 });
    const same = planOf({ real: true, prices }, story).microUsd;
    expect(same.p50).toBeGreaterThanOrEqual(32 * 3 * dollar);
    const dearer = { ...price, rates: { ...rates, output: 9 * dollar } };
    const other = planOf({ real: true, prices: { solver: dearer, updater: price } }, story).microUsd;
    expect(other.p50).toBeLessThan(dollar);
  });

  it('never goes beyond its cap', () => {
    expect(planOf({ real: true, prices, caps: { moneyUsd: 5 } }).microUsd.ceiling).toBe(5 * dollar);
  });

  it.each([
    ['that p90 fits', 100, { tooSmall: false, share: expect.any(Number) }],
    ['that not even baseline and finals of H0 fit at p50', 0.5, { tooSmall: true }],
  ])('tells of a cap %s', (_, moneyUsd, expected) => {
    expect(planOf({ real: true, prices, caps: { moneyUsd } }).caps).toMatchObject([{ kind: 'money', ...expected }]);
  });

  it.each([
    // 17 attempts divide it: 14 of the finals, 3 of the baseline.
    ['that leaves the baseline what it takes', 1_700_000, [], { left: 300_000, p50: 120_000 }],
    [
      'that covers baseline and finals of H0 but not both beside what is held',
      600_000,
      [],
      { left: 105_883, p50: 120_000 },
    ],
    ['less what stands on record of the baseline', 1_700_000, ['p1'], { left: 298_000, p50: 4000 }],
    ['no more once the baseline is made', 1_700_000, ['p1', 'd1', 'x3'], null],
  ] as const)('tells what of a cap is left for the baseline: one %s', (_, solverTokens, made, baseline) => {
    const lock = buildLock({ real: true, prices, caps: { solverTokens } });
    const story = new Story(lock).attempts('h0', Object.fromEntries(made.map((task) => [task, 0.5])));
    const { caps } = estimatePlan(lock, story.records, true, []);
    expect(caps).toMatchObject([{ kind: 'solver-tokens', tooSmall: false, baseline }]);
  });

  it('does not know what a baseline takes of money whose price is not known', () => {
    const { caps } = planOf({ real: true, caps: { moneyUsd: 2 }, prices: { solver: { kind: 'unknown', why: 'new' } } });
    expect(caps).toMatchObject([{ kind: 'money', baseline: { p50: null } }]);
  });
});
