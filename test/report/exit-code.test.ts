import { describe, expect, it } from 'vitest';
import { buildReport } from '../../src/report/numbers/build-report.ts';
import { exitCodeOf } from '../../src/report/exit-code.ts';
import { demoRecords, demoStory } from '../support/demo-story.ts';
import { buildLock } from '../support/lock-builder.ts';
import { infrastructure, Story } from '../support/record-builders.ts';

const selection = { p1: 0.5, d1: 0.5, x3: 0.5 };
const finals = { p4: 0.5, d4: 0.5, x4: 0.5, c1: 0.5, c2: 0.5, c3: 0.5, c4: 0.5 };

function ended(end: 'done' | 'budget' | 'cap', changes: Parameters<Story['attempts']>[1] = {}): Story {
  const story = new Story()
    .attempts('h0', selection)
    .query('ace', 0, 50, 1)
    .decision('ace', 'search-ended', 'in any words', { end });
  return story.champion('ace', 'gated', 0).attempts('h0', { ...finals, ...changes });
}

describe('exit codes', () => {
  it.each([
    ['0 for a complete experiment', ended('done').closed(), 0],
    ['3 where coverage is below a floor', ended('done', { c1: infrastructure() }).closed(), 3],
    ['4 where a limit ended the search, however it is worded', ended('budget').closed(), 4],
    ['4 where a cap ended it', ended('cap').closed(), 4],
    ['3 before 4', ended('budget', { c1: infrastructure() }).closed(), 3],
    ['7 for a cancelled experiment', ended('budget').closed('cancelled'), 7],
    ['6 before everything', ended('done').query('ace', 1, 99, 2).closed('cancelled'), 6],
  ])('%s', (_, { lock, records }, code) => {
    expect(exitCodeOf(buildReport(lock, records))).toBe(code);
  });

  it('is 0 while an experiment goes on, whatever is missing', () => {
    expect(exitCodeOf(buildReport(buildLock(), demoRecords(3)))).toBe(0);
  });

  it('is 0 for the demo', () => {
    const { story } = demoStory();
    expect(exitCodeOf(buildReport(story.lock, story.records))).toBe(0);
  });
});
