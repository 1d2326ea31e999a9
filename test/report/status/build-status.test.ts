import { describe, expect, it } from 'vitest';
import { buildStatus, type StatusSources } from '../../../src/report/status/build-status.ts';
import { isJudgeFailure } from '../../../src/domain/canonical-attempts.ts';
import type { ExperimentUsage } from '../../../src/schema/gateway.ts';
import type { ArmName } from '../../../src/schema/ids.ts';
import type { Outcome } from '../../../src/schema/outcome.ts';
import { demoRecords } from '../../support/demo-story.ts';
import { buildLock, startedAt } from '../../support/lock-builder.ts';
import { infrastructure, judgeFailure, Story } from '../../support/record-builders.ts';

const live = { run: 'running', phase: 'search', arm: 'ace', paused: false, lanes: 4 } as const;
const running = (['temporal', 'gateway', 'worker'] as const).map((name) => ({ name, state: 'running' as const }));

function look(stage: number, changes: Partial<StatusSources> = {}): ReturnType<typeof buildStatus> {
  return buildStatus({
    lock: buildLock(),
    records: demoRecords(stage),
    live,
    usage: null,
    leases: [],
    services: running,
    now: startedAt + 60_000,
    ...changes,
  });
}

function usageOf(charged: number): ExperimentUsage {
  const money = { microUsd: 0, microUsdReserved: 0, unpricedRows: 0 };
  const tokens = { rows: 1, rejectedRows: 0, unknownRows: 0, unknownCharged: 0, reserved: 0 };
  const row = { arm: 'ace' as ArmName, ...tokens, ...money };
  return {
    roles: [
      { ...row, role: 'updater', reported: charged - 100, charged, limit: 2_000_000, left: 2_000_000 - charged },
      { ...row, role: 'solver', reported: 500, charged: 500, limit: null, left: null },
    ],
    caps: [],
    queries: [{ arm: 'ace' as ArmName, used: 3, cap: 4 }],
    unknown: [],
    servedModels: [],
    halted: [],
  };
}

/** A baseline of three tasks that is held with one of them scored; a feedback attempt waits for its judge as well. */
function heldBaseline(failed: Readonly<Record<string, Outcome>>): Story {
  const judge = Object.values(failed).filter((outcome) => isJudgeFailure({ outcome })).length;
  const figures = { hold: 'coverage', pass: 'baseline', missing: 2, judge, scored: 1, planned: 3, since: 0 };
  return new Story()
    .attempts('h0', { ...failed, x3: 0.5, p2: judgeFailure() })
    .decision(null, 'experiment-held', 'any', figures);
}

describe('state', () => {
  it.each([
    ['running with a running workflow', live, 'running'],
    ['paused on request', { ...live, paused: true }, 'paused'],
    ['failed with a failed workflow', { ...live, run: 'failed' as const }, 'failed'],
    ['stopped when nobody can be asked', null, 'stopped'],
    ['stopped when the workflow ended without a closing record', { ...live, run: 'completed' as const }, 'stopped'],
  ])('is %s', (_, view, state) => expect(look(2, { live: view }).state).toBe(state));

  it('is complete by its records, whatever the workflow says', () => {
    expect(look(5)).toMatchObject({ state: 'complete', phase: 'complete', next: 'anneal report exp_41d0c2ab' });
  });
});

describe('a cap', () => {
  const cap = { kind: 'money', limit: 5, used: 1, reserved: 0, held: 2, left: 2 } as const;

  it.each([
    ['while it is searched', 2, 2, 2],
    ['once the finals spend it', 4, 0, 4],
    ['once the experiment is closed', 5, 0, 4],
  ])('tells what is held for the finals: %s', (_, stage, held, left) => {
    expect(look(stage, { usage: { ...usageOf(0), caps: [cap] } }).caps).toEqual([{ ...cap, held, left }]);
  });
});

describe('budgets', () => {
  it('give used, left and limit of every budget of an arm', () => {
    expect(look(2, { usage: usageOf(10_000) }).budgets).toEqual([
      {
        arm: 'ace',
        updater: 'ace',
        state: 'searching',
        ended: null,
        candidates: { used: 1, left: 2, limit: 3 },
        selectionQueries: { used: 3, left: 1, limit: 4 },
        updaterTokens: { used: 10_000, left: 1_990_000, limit: 2_000_000, reported: 9_900 },
        searchSeconds: { used: 54, left: 3546, limit: 3600 },
      },
    ]);
  });

  it('are unknown, not 0, when the ledger cannot be asked', () => {
    const [arm] = look(2).budgets;
    expect(arm?.updaterTokens).toEqual({ used: null, left: null, limit: 2_000_000, reported: null });
    expect(arm?.selectionQueries).toEqual({ used: 2, left: 2, limit: 4 });
  });

  it('stop the clock of a search that ended and start that of the next arm', () => {
    const story = new Story(buildLock({ arms: ['ace', 'second'] })).phase('search');
    story.attempts('h0', { p2: 1 }).decision('ace', 'search-ended', 'all batches are done').attempts('h0', { p3: 1 });
    const status = look(0, { lock: story.lock, records: story.records });
    expect(status.budgets.map(({ state, searchSeconds }) => [state, searchSeconds.used])).toEqual([
      ['ended', 2],
      ['searching', 57],
    ]);
  });
});

describe('passes', () => {
  it('tell selection means at full coverage only', () => {
    const story = new Story().attempts('h0', { p1: 0.5, d1: 0.5 });
    const [pass] = look(0, { records: story.records }).passes;
    expect(pass).toMatchObject({ split: 'selection', revision: 'h0', scored: 2, planned: 3, mean: null, delta: null });
    expect(look(1).passes[0]?.mean).toBeCloseTo(50);
  });

  it('tell the finals of all revisions as one count, without any mean', () => {
    const pass = look(4).passes.find(({ split }) => split === 'final');
    expect(pass).toMatchObject({ arm: null, revision: null, scored: 9, planned: 14, mean: null });
    expect(look(3).passes.find(({ split }) => split === 'final')?.planned).toBe(7);
  });

  it('add up to the counts', () => {
    const { counts, passes } = look(4);
    expect(counts.scored).toBe(passes.reduce((sum, pass) => sum + pass.scored, 0));
    expect(counts.planned).toBe(4 * 3 + 6 + 14);
  });

  it('give an estimate for the pass under way, and none for a search', () => {
    expect(look(4, { live: { ...live, phase: 'final' } }).etaMs).toBe((5 * 12_000) / 4);
    expect(look(2).etaMs).toBeNull();
  });
});

describe('what needs you', () => {
  it.each([
    ['nothing while it runs', {}, null, 'anneal watch exp_41d0c2ab'],
    [
      'services that are not running, first of all',
      { live: null, services: [...running.slice(0, 2), { name: 'worker', state: 'stopped' as const }] },
      'worker not running',
      'anneal up',
    ],
    ['a pause', { live: { ...live, paused: true } }, 'paused on request', 'anneal resume exp_41d0c2ab'],
    ['a failed workflow', { live: { ...live, run: 'failed' as const } }, 'its workflow failed', 'anneal logs worker'],
    ['a stop', { live: null }, 'not running', 'anneal resume exp_41d0c2ab'],
  ])('is %s', (_, changes, what, next) => {
    const status = look(2, changes);
    expect(status.needs[0]?.what ?? null).toBe(what);
    expect(status.next).toBe(next);
  });

  it('is an effect that fails again and again, while the experiment counts as running', () => {
    const status = look(2, { live: { ...live, trouble: { what: 'performAttempt: disk full', tries: 7 } } });
    expect(status).toMatchObject({ state: 'running', next: 'anneal logs worker' });
    expect(status.needs[0]?.what).toBe('performAttempt: disk full (7 tries, goes on trying)');
  });

  it('is a halted model with its reason', () => {
    const story = new Story().decision(null, 'experiment-held', 'any', {
      hold: 'solver',
      kind: 'served_model_changed',
      setting: null,
      since: Date.parse('2026-01-01T02:10:00Z'),
      until: null,
      reason: 'serves model-b, not model-a',
    });
    const halt = { role: 'solver' as const, kind: 'served_model_changed' as const, setting: null, until: null };
    const since = Date.parse('2026-01-01T02:10:00Z');
    const usage = { ...usageOf(1000), halted: [{ ...halt, since, reason: 'any' }] };
    const held = look(2, { records: story.records, usage });
    expect(held).toMatchObject({
      state: 'paused',
      holds: [{ kind: 'served_model_changed', code: 'ANL-5105', since: '2026-01-01T02:10:00.000Z', until: null }],
      next: expect.stringContaining('anneal resume exp_') as string,
    });
    expect(held.needs).toHaveLength(1);
    expect(held.needs[0]).toMatchObject({
      code: 'ANL-5105',
      what: expect.stringContaining('another model answers as solver') as string,
      why: 'serves model-b, not model-a (halted 2026-01-01 02:10 UTC)',
      notSpent: expect.stringContaining('0 tokens') as string,
    });
    expect(look(2, { records: story.records, usage: null })).toMatchObject({ state: 'paused' });
    const lifted = { records: story.records, usage: usageOf(1000) };
    expect(look(2, lifted)).toMatchObject({ state: 'running', holds: [], needs: [] });
    story.decision(null, 'experiment-released', 'any', { hold: 'solver' });
    expect(look(2, { records: story.records })).toMatchObject({ state: 'running', holds: [], needs: [] });
  });

  const resume = 'anneal resume exp_41d0c2ab';
  const rejudge = `anneal rejudge exp_41d0c2ab     then: ${resume}`;
  const doctor = `anneal doctor     then: ${resume}`;
  const judges = { p1: judgeFailure(), d1: judgeFailure() };

  it.each([
    [judges, '1 of 3 have one, below the floor; 2 ran and await a judgement, for the judge failed', rejudge],
    [
      { p1: judgeFailure(), d1: infrastructure() },
      '1 ran and awaits a judgement, for the judge failed; the others are made again at a resume',
      rejudge,
    ],
    [
      { p1: infrastructure(), d1: infrastructure() },
      '1 of 3 have one, below the floor; the others are made again at a resume',
      doctor,
    ],
  ])('is a pass below its floor, with those that await a judgement told apart: %o', (failed, why, command) => {
    const { records } = heldBaseline(failed);
    const { needs, next } = look(2, { records, live: { ...live, paused: true } });
    expect(needs[0]?.why).toContain(why);
    expect(needs[0]?.what).toContain('left 2 of 3 attempts of the baseline without a score');
    expect(next).toBe(command);
  });

  it.each([
    [{ p1: 0.5, d1: 0.7 }, 'left 2 of 3', '3 of 3 have one now; it goes on at a resume', resume],
    [{ p1: 0.5 }, 'left 1 of 3', '2 of 3 have one now; 1 ran and awaits a judgement, for the judge failed', rejudge],
  ])('is told as the records stand, with judgements made during the hold: %o', (judged, what, why, command) => {
    const story = heldBaseline(judges);
    for (const [task, reward] of Object.entries(judged)) story.judgement('h0', task, 2, reward);
    const { needs, next } = look(2, { records: story.records, live: { ...live, paused: true } });
    expect(needs[0]?.what).toContain(what);
    expect(needs[0]?.why).toBe(why);
    expect(next).toBe(command);
  });

  it('counts of a final test what every frozen revision left, and nothing of other splits', () => {
    const figures = { hold: 'coverage', pass: 'final', missing: 2, judge: 2, scored: 1, planned: 3, since: 0 };
    const { records } = new Story()
      .attempts('h0', { p1: judgeFailure(), p2: judgeFailure(), p4: 0.5, c1: judgeFailure() })
      .attempts('ace/cand-1', { c1: judgeFailure() })
      .decision(null, 'experiment-held', 'any', figures);
    const { needs } = look(2, { records, live: { ...live, paused: true } });
    expect(needs[0]?.why).toBe('1 of 3 have one, below the floor; 2 ran and await a judgement, for the judge failed');
  });

  it('counts attempts without a score once nothing runs', () => {
    const story = new Story().attempts('h0', { p1: infrastructure(), d1: infrastructure() });
    const { needs } = look(0, { records: story.records, live: { ...live, paused: true } });
    expect(needs.at(-1)?.what).toBe('2 attempts without a score (infrastructure)');
  });

  it('is nothing of a closed experiment, even with services down', () => {
    const services = [{ name: 'worker', state: 'stopped' as const }];
    expect(look(5, { live: null, services }).needs).toEqual([]);
  });
});
