import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../src/report/numbers/build-report.ts';
import { plainPalette } from '../../../src/report/layout/palette.ts';
import { renderReport } from '../../../src/report/documents/render-report.ts';
import { demoRecords, demoStory } from '../../support/demo-story.ts';
import { buildLock } from '../../support/lock-builder.ts';
import { agentError, infrastructure, judgeFailure, scored, Story } from '../../support/record-builders.ts';

const finals = { p4: 0.5, d4: 0.5, x4: 0.5, c1: 0.5, c2: 0.5, c3: 0.5, c4: 0.5 };

/** H0 and one champion, measured everywhere, closed; `evolved` are the champion's finals. */
function measured(h0: Parameters<Story['attempts']>[1], evolved: Parameters<Story['attempts']>[1]): Story {
  const story = new Story();
  story.attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 }).revision('ace/cand-1');
  story.attempts('ace/cand-1', { p1: 1, d1: 1, x3: 1 }).query('ace', 0, 50, 1).query('ace', 1, 100, 2);
  story.decision('ace', 'search-ended', 'all batches are done');
  story.champion('ace', 'gated', 1).champion('ace', 'bestEvolved', 1);
  return story.attempts('h0', h0).attempts('ace/cand-1', evolved).closed();
}

describe('findings', () => {
  it('are none in a sound experiment', () => {
    const { story } = demoStory();
    expect(buildReport(story.lock, story.records).findings).toEqual([]);
  });

  it.each([
    [
      'a disclosed number that the attempts do not give',
      'selection-differs',
      (story: Story) => story.query('ace', 1, 99, 2),
    ],
    [
      'a frozen champion that was not the best on selection',
      'champion-differs',
      (story: Story) => story.query('ace', 1, 100, 2).champion('ace', 'gated', 0),
    ],
    [
      'a final attempt of a revision that was not frozen',
      'final-unfrozen',
      (story: Story) => story.query('ace', 1, 100, 2).attempts('ace/cand-1', { c1: 1 }),
    ],
    [
      'more tokens reported than charged',
      'reported-above-charged',
      (story: Story) => story.usage('ace', 'updater', { reported: 2, charged: 1 }),
    ],
  ])('name %s', (_, code, change) => {
    const story = new Story().attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 }).query('ace', 0, 50, 1);
    change(story.revision('ace/cand-1').attempts('ace/cand-1', { p1: 1, d1: 1, x3: 1 }));
    expect(buildReport(story.lock, story.records).findings.map((finding) => finding.code)).toEqual([code]);
  });
});

describe('a selection number', () => {
  const before = (story: Story): Story => story.judgement('ace/cand-1', 'x3', 1, 0).query('ace', 1, 50, 2);
  const after = (story: Story): Story => story.query('ace', 1, 75, 2).judgement('ace/cand-1', 'x3', 1, 0);
  const hidden = (story: Story): Story => story.judgement('ace/cand-1', 'x3', 1, 0).query('ace', 1, 75, 2);

  it.each([
    ['agrees with an attempt that was judged again before it was disclosed', before, []],
    ['does not change by an attempt that was judged again afterwards', after, []],
    ['is found out where it leaves out what was judged again before', hidden, ['selection-differs']],
  ])('%s', (_, tell, codes) => {
    const story = new Story().attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 }).query('ace', 0, 50, 1);
    tell(story.revision('ace/cand-1').attempts('ace/cand-1', { p1: 1, d1: 0.5, x3: judgeFailure() }));
    expect(buildReport(story.lock, story.records).findings.map(({ code }) => code)).toEqual(codes);
  });
});

describe('repeats after infrastructure failures', () => {
  it('are counted for each revision beside those of H0, whatever came of them', () => {
    const story = measured(finals, { ...finals, c1: infrastructure(), c2: infrastructure() });
    story.attempts('ace/cand-1', { c1: infrastructure() }).attempts('ace/cand-1', { c1: scored(1), c2: scored(1) });
    const report = buildReport(story.lock, story.records);
    const repeats = report.outcomes.map(({ revision, split, repeats: count }) => [revision, split, count]);
    expect(repeats.filter(([, , count]) => count !== 0)).toEqual([['cand-1', 'final-cross-office', 3]]);
    expect(renderReport(report)).toContain('repeats after infrastructure  h0 0 · ace cand-1 3');
  });

  it('have no line where there were none', () => {
    const { story } = demoStory();
    expect(renderReport(buildReport(story.lock, story.records))).not.toContain('repeats');
  });
});

describe('tokens and resources', () => {
  it('tell both counts of each updater below a table that has no room for them', () => {
    const story = new Story(buildLock({ arms: ['ace', 'second'] })).attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 });
    story.usage('ace', 'updater', { calls: 12, reported: 10_600, charged: 10_900 });
    const report = buildReport(story.lock, story.closed().records);
    const screen = (columns: number): string => renderReport(report, { columns, palette: plainPalette });
    const line = 'updater tokens  ace 10.6k / 10.9k · second 0 / 0 (reported / charged)';
    expect(screen(60)).toContain(line);
    expect(screen(200)).not.toContain(line);
    expect(screen(200)).toMatch(/^ace .* 10\.6k \/ 10\.9k$/m);
  });

  it('are unknown, not 0, before any total is recorded', () => {
    const report = buildReport(buildLock(), demoRecords(2));
    expect(report.resources.tokens).toBeNull();
    expect(report.arms[0]?.tokens.updater).toEqual({ reported: null, charged: null });
  });

  it('come from the last cumulative record of each arm and role, summed over arms', () => {
    const story = new Story().usage('ace', 'solver', { calls: 1, reported: 10, charged: 20 });
    story.usage('ace', 'solver', { calls: 3, reported: 100, charged: 150, unknownRows: 1, unknownCharged: 50 });
    story.usage('h0', 'solver', { calls: 2, reported: 7, charged: 7 });
    expect(buildReport(story.lock, story.records).resources.tokens?.[0]).toEqual({
      role: 'solver',
      calls: 5,
      reported: 107,
      charged: 157,
      unknownRows: 1,
      unknownCharged: 50,
      microUsd: 0,
      unpricedCalls: 0,
    });
  });

  it('leave an attempt with a request of unknown usage out of the token mean, and say so', () => {
    const story = measured({}, {});
    const { lock } = story;
    const usage = { calls: 1, retries: 0, replayed: 0, tokensInherited: 0, unknownRows: 1, waitedMs: 0 };
    const rest = { limitHit: null, lastFault: null, servedModels: [], divergedAtCall: null };
    story.attempts('h0', { c1: 1 }, { usage: { ...usage, ...rest, tokensReported: 10, tokensCharged: 900 } });
    story.attempts(
      'h0',
      { c2: 1 },
      { usage: { ...usage, ...rest, tokensReported: 300, tokensCharged: 300, tokensInherited: 40 } },
    );
    const h0 = buildReport(lock, story.records).resources.solver[0];
    expect(h0?.all).toMatchObject({
      planned: 7,
      tokens: { mean: 340, records: 1 },
      minutes: { mean: 0.2, records: 2 },
    });
    expect(buildReport(lock, story.records).resources.updates[0]?.finalInference).toEqual({
      reported: 340,
      records: 1,
      planned: 7,
    });
  });

  it('set agent errors of H0 beside those of the champion, by cause', () => {
    const { lock, records } = measured(
      { ...finals, c1: agentError(0, 'wall_limit') },
      { ...finals, c1: agentError(0), c2: agentError(0.5) },
    );
    const own = buildReport(lock, records).outcomes.find(
      ({ arm, split }) => arm === 'ace' && split === 'final-cross-office',
    );
    expect(own?.agentErrors).toEqual([
      { cause: 'crash', count: 2, h0: 0 },
      { cause: 'wall_limit', count: 0, h0: 1 },
    ]);
  });
});

describe('labels', () => {
  it.each([
    [
      'a simulated run names its world and says what it is worth',
      {},
      ['simulated · world no-transfer · tests the engine, says nothing about any method'],
    ],
    [
      'a simulated run names its fault profile',
      { faults: 'stalls' },
      ['simulated · world no-transfer · faults stalls · tests the engine, says nothing about any method'],
    ],
    ['a real run has none', { real: true }, []],
  ] as const)('%s', (_, changes, labels) => {
    expect(buildReport(buildLock(changes), []).labels).toEqual(labels);
  });

  it('say when policies came from evaluation keys', () => {
    const { labels } = buildReport(buildLock({ policiesFromEvaluationKeys: true }), []);
    expect(labels[1]).toContain("derived from the tasks' evaluation keys");
  });
});
