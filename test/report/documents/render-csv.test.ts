import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText } from '../../../src/report/documents/csv.ts';
import { renderCsv } from '../../../src/report/documents/render-csv.ts';
import { demoRecords, demoStory } from '../../support/demo-story.ts';
import type { ArmName } from '../../../src/schema/ids.ts';
import { buildLock, revisionDigest } from '../../support/lock-builder.ts';
import { agentError, infrastructure, Story } from '../../support/record-builders.ts';

/** A minimal reader: enough for what the writer may produce. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^,\n]*)(,|\n)/g;
  for (const [, raw = '', end] of text.matchAll(cell)) {
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === '\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

function column(text: string, name: string): string[] {
  const [head = [], ...rows] = readCsv(text);
  const index = head.indexOf(name);
  if (index < 0) throw new Error(`no column ${name}`);
  return rows.map((row) => row[index] ?? '');
}

describe('CSV text', () => {
  it.each([
    ['a formula is led by an apostrophe', '=1+1', "'=1+1"],
    ['so is what a spreadsheet takes for one', '@SUM(A1)', "'@SUM(A1)"],
    ['a negative number stays a number', -0.5, '-0.5'],
    ['nothing is an empty cell', null, ''],
    ['a comma is quoted', 'a,b', '"a,b"'],
    ['a quote is doubled', 'say "x"', '"say ""x"""'],
  ])('%s', (_, cell, text) => expect(csvText(['x'], [[cell]])).toBe(`x\n${text}\n`));

  it('gives back every text it was given', () => {
    const text = fc.string().filter((value) => !/^[=+\-@\t\r]/.test(value));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
        expect(readCsv(csvText(['a', 'b'], rows)).slice(1)).toEqual(rows);
      }),
    );
  });
});

describe('the attempts table', () => {
  it('has a row per record and marks those that count', () => {
    const story = new Story()
      .attempts('h0', { p2: infrastructure() })
      .attempts('h0', { p2: 0.5, d2: agentError(0.25) });
    const text = renderCsv(story.lock, story.closed().records);
    expect(column(text, 'canonical')).toEqual(['false', 'true', 'true']);
    expect(column(text, 'epoch')).toEqual(['1', '2', '1']);
    expect(column(text, 'status')).toEqual(['unscored_infra', 'scored', 'scored_with_agent_error']);
    expect(column(text, 'why')).toEqual(['provider: provider answered 503', '', 'crash']);
  });

  it('leaves a missing reward empty, never 0', () => {
    const story = new Story().attempts('h0', { p2: infrastructure(), d2: 0 });
    expect(column(renderCsv(story.lock, story.closed().records), 'reward')).toEqual(['', '0']);
  });

  it('names revisions as the screens do', () => {
    const { story } = demoStory();
    expect(new Set(column(renderCsv(story.lock, story.records), 'revision'))).toEqual(
      new Set(['h0', 'cand-1', 'cand-2', 'cand-3']),
    );
  });

  it('tells which arms made the revision of a final attempt, which no arm asked for', () => {
    const lock = buildLock({ arms: ['ace', 'second', 'third'] });
    const story = new Story(lock).revision('h0').revision('ace/cand-1').revision('second/cand-1');
    story.revision('third/cand-1', revisionDigest('second/cand-1')).phase('final');
    for (const name of ['h0', 'ace/cand-1', 'second/cand-1']) story.attempts(name, { p4: 1 }, { arm: 'h0' as ArmName });
    const text = renderCsv(lock, story.closed().records);
    expect(column(text, 'arm')).toEqual(['h0', 'h0', 'h0']);
    expect(column(text, 'revision_arms')).toEqual(['h0', 'ace', 'second third']);
  });

  it('holds feedback alone until the experiment is closed', () => {
    const open = renderCsv(buildLock(), demoRecords(4));
    expect(new Set(column(open, 'split'))).toEqual(new Set(['feedback']));
    const { story } = demoStory();
    expect(new Set(column(renderCsv(story.lock, story.records), 'split')).size).toBe(4);
  });

  it('is marked as simulated in every row', () => {
    const { story } = demoStory();
    expect(new Set(column(renderCsv(story.lock, story.records), 'world'))).toEqual(new Set(['no-transfer']));
  });
});
