import { describe, expect, test } from 'vitest';
import type { SpecItem } from '../../../src/schema/officebench.ts';
import {
  type EvaluationRow,
  mail,
  cells,
  among,
  equal,
  changed,
  free,
  answer,
  bookOf,
  both,
  letter,
  event,
  inAnswer,
  inBook,
} from './evaluation-rows.ts';
import { judgeRows } from './judge-fixture.ts';

const rows: EvaluationRow[] = [
  ['cell value: the value passes', bookOf('[["a", 98]]'), cells([1, 2, '98']), true],
  ['cell value: every match is needed', bookOf('[["a", 98]]'), cells([1, 2, '98'], [1, 1, 'b']), false],
  ['cell value: a prefix passes', bookOf('[[4000001]]'), cells([1, 1, '400000']), true],
  ['cell value: no other part passes', bookOf('[[1400000]]'), cells([1, 1, '400000']), false],
  ['cell value: case counts', bookOf('[["total"]]'), cells([1, 1, 'Total']), false],
  ['cell value: a live formula fails', bookOf('[[1], [2], ["=SUM(A1:A2)"]]'), cells([3, 1, '3']), false],
  ['cell value: a decimal prints as Python prints it', bookOf('[[80.5]]'), cells([1, 1, '80.5']), true],
  ['cell value: a time prints with seconds', bookOf('[[datetime.time(8, 10)]]'), cells([1, 1, '8:10']), false],
  ['cell value: a missing file fails', '', cells([1, 1, 'a']), false],
  ['cell value: an empty cell prints as such', bookOf('[["a", None, "b"]]'), cells([1, 2, '[Empty Cell]']), true],
  ['comparator: a member passes', bookOf('[[3]]'), among('1', '3'), true],
  ['comparator: another value fails', bookOf('[[33]]'), among('1', '3'), false],
  ['comparator: a value of several words fails', bookOf('[["3 x"]]'), among('3'), false],
  ['comparator: a missing file fails', '', among('3'), false],
  ['exact match: equal values pass', both('[[1, "a"]]', '[[1.0, "a"]]'), equal('xlsx'), true],
  ['exact match: another value fails', both('[[1, "a"]]', '[[1, "b"]]'), equal('xlsx'), false],
  ['exact match: a row too many fails', both('[[1]]', '[[1], [2]]'), equal('xlsx'), false],
  ['exact match: a row too few fails', both('[[1], [2]]', '[[1]]'), equal('xlsx'), false],
  ['exact match: text is no number', both('[[1]]', '[["1"]]'), equal('xlsx'), false],
  ['exact match: a missing result fails', 'book(tests + "/expected/a.xlsx", [[1]])', equal('xlsx'), false],
  [
    'exact match: equal text passes',
    'text(tests + "/expected/a.txt", "x"); text("data/a.txt", "x")',
    equal('txt'),
    true,
  ],
  [
    'exact match: PDF files never compare equal',
    'do_pdf(tests + "/expected/a.pdf", ["x"]); do_pdf("data/a.pdf", ["x"])',
    equal('pdf'),
    false,
  ],
  [
    'exact match: Word files never compare equal',
    'do_document(tests + "/expected/a.docx", ["x"]); do_document("data/a.docx", ["x"])',
    equal('doc', 'docx'),
    false,
  ],
  ['diff: a removed row holds its words', both('[["a", 1], ["b", 2]]', '[["a", 1]]'), changed('b', '2'), true],
  ['diff: an added row holds its words', both('[["a", 1]]', '[["a", 1], ["b", 2]]'), changed('b'), true],
  ['diff: untouched rows hold none', both('[["a"], ["b"], ["c"]]', '[["a"], ["b"]]'), changed('a'), false],
  ['diff: case counts', both('[["Alice"], ["b"]]', '[["b"]]'), changed('alice'), false],
  ['diff: an unchanged file fails', both('[["a"]]', '[["a"]]'), changed('a'), false],
  ['diff: a missing file fails', 'book(tests + "/expected/a.xlsx", [["a"]])', changed('a'), false],
  [
    'overlap: separate events pass',
    `calendar("Bob", ${event('20240501T120000Z', '20240501T130000Z')}, ${event('20240501T100000Z', '20240501T110000Z')})`,
    free,
    true,
  ],
  [
    'overlap: events that touch pass',
    `calendar("Bob", ${event('20240501T120000Z', '20240501T130000Z')}, ${event('20240501T130000Z', '20240501T140000Z')})`,
    free,
    true,
  ],
  [
    'overlap: overlapping events fail',
    `calendar("Bob", ${event('20240501T120000Z', '20240501T130000Z')}, ${event('20240501T125900Z', '20240501T140000Z')})`,
    free,
    false,
  ],
  [
    'overlap: a naive time is UTC',
    `calendar("Bob", ${event('20240501T120000', '20240501T130000')}, ${event('20240501T123000Z', '20240501T140000Z')})`,
    free,
    false,
  ],
  [
    'overlap: only neighbours by start are compared',
    `calendar("Bob", ${event('20240501T080000Z', '20240501T083000Z')}, ${event('20240501T090000Z', '20240501T093000Z')})`,
    free,
    true,
  ],
  ['overlap: no event passes', 'calendar("Bob")', free, true],
  [
    'overlap: an event without end fails',
    `calendar("Bob", "DTSTART:20240501T120000Z", ${event('20240502T120000Z', '20240502T130000Z')})`,
    free,
    false,
  ],
  ['overlap: an absent calendar fails', '', free, false],
  ['overlap: rubbish fails', 'text("calendar/Bob.ics", "x")', free, false],
];

const undecided: [string, string, SpecItem][] = [
  [
    'an item that names no file',
    bookOf('[["Bob"]]'),
    { function: 'excel_cell_value', file: null, matches: [{ row: 1, col: 1, value: 'Bob' }] },
  ],
  [
    'a comparison that never succeeds',
    'do_pdf(tests + "/expected/a.pdf", ["x"]); do_pdf("data/a.pdf", ["x"])',
    equal('pdf'),
  ],
];

describe('workbooks, references and calendars, in faithful mode', () => {
  const results = judgeRows(rows.map(([rule, outputs, item]) => ({ rule, outputs, item })));

  test.each(rows.map(([rule, , , passes], index) => [rule, passes, index] as const))('%s', (_, passes, index) => {
    expect(results[index]).toMatchObject({ passed: passes, defect: null });
  });

  test('nothing observed repeats an expected value', () => {
    const keyword = 'xylophone-4711';
    const items = [inAnswer(keyword), inBook(keyword), mail('Tom', keyword), cells([1, 1, keyword]), changed(keyword)];
    const outputs = `${answer(keyword)}; ${both('[["a"]]', `[["${keyword}"]]`)}; ${letter('Tom', keyword)}`;
    for (const result of judgeRows(items.map((item) => ({ rule: 'sealed', outputs, item })))) {
      expect(result).toMatchObject({ passed: true });
      expect(result.observed).not.toContain(keyword);
    }
  });

  test('what the evaluation itself leaves open is undecided, and earns nothing', () => {
    for (const result of judgeRows(undecided.map(([rule, outputs, item]) => ({ rule, outputs, item })))) {
      expect(result).toMatchObject({ passed: false, decided: false, defect: null });
    }
  });

  test('a missing reference is the judge’s defect', () => {
    const [result] = judgeRows([{ rule: 'reference', outputs: bookOf('[[1]]'), item: equal('xlsx') }]);
    expect(result?.defect).toMatch(/reference expected\/a\.xlsx is missing/);
  });
});
