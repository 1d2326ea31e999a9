import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../src/report/numbers/build-report.ts';
import { Report } from '../../../src/schema/report.ts';
import { demoRecords, demoStory } from '../../support/demo-story.ts';
import { buildLock, revisionDigest, taskId } from '../../support/lock-builder.ts';
import { agentError, infrastructure, scored, Story } from '../../support/record-builders.ts';

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

function championOf({ lock, records }: Story): Report['arms'][number]['champions'][number] {
  const champion = buildReport(lock, records).arms[0]?.champions[0];
  if (champion === undefined) throw new Error('no champion');
  return champion;
}

describe('the report', () => {
  it('has the documented shape', () => {
    const { story } = demoStory();
    const report = buildReport(story.lock, story.records);
    expect(Report.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(report).toMatchObject({
      experiment: 'exp_41d0c2ab',
      simulated: true,
      world: 'no-transfer',
      baseline: { revision: 'h0', digest: revisionDigest('h0') },
      arms: [{ arm: 'ace', tokens: { updater: { reported: 10_600, charged: 10_900 } } }],
    });
    expect(report.arms[0]?.champions.map(({ label, revision }) => [label, revision])).toEqual([
      ['gated', 'cand-2'],
      ['bestEvolved', 'cand-2'],
    ]);
  });

  it('finds what the world declares: better in domain, the same on cross-office tasks', () => {
    const { story } = demoStory();
    const champion = championOf(story);
    expect(champion.selection.delta).toBeCloseTo(50);
    expect(champion.inDomain.delta).toBeCloseTo(40);
    expect(champion.crossOffice.delta).toBe(0);
    expect(champion.all.delta).toBeCloseTo(120 / 7);
  });

  it('says the same whatever the order of the records', () => {
    const { story } = demoStory();
    const expected = buildReport(story.lock, story.records);
    const attempts = story.records.filter(({ kind }) => kind === 'attempt');
    const others = story.records.filter(({ kind }) => kind !== 'attempt');
    fc.assert(
      fc.property(fc.shuffledSubarray(attempts, { minLength: attempts.length }), (shuffled) => {
        expect(buildReport(story.lock, [...shuffled, ...others])).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe('means and deltas', () => {
  it('counts agent errors with the reward they earned', () => {
    const { crossOffice } = championOf(measured(finals, { ...finals, c1: agentError(0), c2: agentError(1) }));
    expect(crossOffice).toMatchObject({
      mean: 50,
      scored: 4,
      agentErrors: 2,
      planned: 4,
      verdict: { kind: 'covered' },
    });
  });

  it('takes the difference on complete pairs only, before rounding', () => {
    const { inDomain } = championOf(
      measured({ ...finals, p4: infrastructure() }, { ...finals, p4: 1, d4: 0.5004, x4: infrastructure() }),
    );
    expect(inDomain).toMatchObject({ pairs: 1, scored: 2, infra: 1 });
    expect(inDomain.mean).toBeCloseTo(75.02);
    expect(inDomain.delta).toBeCloseTo(0.04);
  });

  it('has no mean where nothing is scored, and never calls that 0', () => {
    const none = { p4: infrastructure(), d4: infrastructure(), x4: infrastructure() };
    const { inDomain } = championOf(measured(finals, { ...finals, ...none }));
    expect(inDomain).toMatchObject({ mean: null, delta: null, pairs: 0, scored: 0, infra: 3, missing: 0 });
  });

  it('counts planned tasks that never ran as missing', () => {
    const { all } = championOf(measured(finals, { p4: 1, c1: 1 }));
    expect(all).toMatchObject({ scored: 2, missing: 5, planned: 7 });
  });

  it('lets the first attempt that is not infrastructure stand, whatever comes later', () => {
    const story = measured(finals, { ...finals, c1: infrastructure() });
    story.attempts('ace/cand-1', { c1: scored(1) }).attempts('ace/cand-1', { c1: scored(0) });
    const { crossOffice } = championOf(story);
    expect(crossOffice).toMatchObject({ scored: 4, infra: 0 });
    expect(crossOffice.mean).toBeCloseTo(62.5);
  });

  it('counts an attempt that two arms share once', () => {
    const story = new Story(buildLock({ arms: ['ace', 'static'] }));
    story.attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 }).champion('ace', 'gated', 0).champion('static', 'gated', 0);
    story.query('ace', 0, 50, 1).query('static', 0, 50, 1).attempts('h0', finals).closed();
    const report = buildReport(story.lock, story.records);
    expect(report.attempts.find(({ split }) => split === 'selection')).toMatchObject({ records: 3, canonical: 3 });
    expect(report.arms.map(({ champions }) => champions[0]?.all.scored)).toEqual([7, 7]);
    expect(report.outcomes.map(({ arm, revision }) => [arm, revision])).toEqual([
      [null, 'h0'],
      [null, 'h0'],
      [null, 'h0'],
    ]);
  });
});

describe('coverage', () => {
  it.each([
    ['all finals scored: covered', {}, {}, 'covered'],
    ['a final of the champion unscored: below the floor', {}, { c1: infrastructure() }, 'below_floor'],
    ['a final of H0 unscored: nothing to compare with', { c1: infrastructure() }, {}, 'h0_below_floor'],
  ])('%s', (_, h0, evolved, kind) => {
    const { crossOffice } = championOf(measured({ ...finals, ...h0 }, { ...finals, ...evolved }));
    expect(crossOffice.verdict.kind).toBe(kind);
  });

  it('gives both figures of a missed floor', () => {
    const { inDomain } = championOf(measured(finals, { ...finals, p4: infrastructure() }));
    expect(inDomain.verdict).toEqual({ kind: 'below_floor', scored: 2, planned: 3, floor: 0.95 });
  });

  it('lists what has no score by id and reason', () => {
    const { lock, records } = measured(finals, { ...finals, p4: infrastructure('disk full') });
    expect(buildReport(lock, records).unscored).toEqual([
      {
        arm: 'ace',
        revision: 'cand-1',
        split: 'final-in-domain',
        task: taskId('p4'),
        why: 'infra in provider: disk full',
      },
    ]);
  });
});

describe('an open experiment', () => {
  it('hides means, deltas, classes and resources of finals, and shows their counts', () => {
    const report = buildReport(buildLock(), demoRecords(4));
    expect(report).toMatchObject({ state: 'open', phase: 'final', resources: { solver: [], updates: [] } });
    expect(report.baseline.inDomain).toMatchObject({
      mean: null,
      delta: null,
      scored: 3,
      planned: 3,
      verdict: { kind: 'sealed' },
    });
    expect(report.baseline.selection.mean).toBeCloseTo(50);
    expect(report.outcomes.every(({ split }) => split === 'selection')).toBe(true);
    expect(JSON.stringify(report)).not.toContain('office-mini/c1');
  });

  it('is closed by its closing record alone', () => {
    const { story } = demoStory();
    expect(buildReport(story.lock, story.records.slice(0, -1)).state).toBe('open');
    expect(buildReport(story.lock, story.records).state).toBe('complete');
  });
});

describe('champions', () => {
  it('says why an arm has none', () => {
    const story = new Story().attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 }).query('ace', 0, 50, 1);
    story
      .decision('ace', 'search-ended', 'search time is over')
      .champion('ace', 'gated', 0)
      .attempts('h0', finals)
      .closed();
    const [arm] = buildReport(story.lock, story.records).arms;
    expect(arm?.champions.map(({ label, revision }) => [label, revision])).toEqual([['gated', 'h0']]);
    expect(arm?.none).toEqual([{ label: 'bestEvolved', why: 'no candidate' }]);
  });

  it.each([
    ['gated', [true, false]],
    ['best-evolved', [false, true]],
  ] as const)('marks the one that the rule %s claims', (rule, claimed) => {
    const { story } = demoStory({ rule });
    expect(buildReport(story.lock, story.records).arms[0]?.champions.map((champion) => champion.claimed)).toEqual(
      claimed,
    );
  });
});
