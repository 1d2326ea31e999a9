import { describe, expect, it } from 'vitest';
import { lintLeaks } from '../../src/domain/leak-lint.ts';
import { leakTermsOf } from '../../src/domain/leak-terms.ts';
import { TaskId } from '../../src/schema/ids.ts';

const terms = leakTermsOf([
  {
    taskId: TaskId.parse('office-mini/excel-041'),
    fileNames: ['input/orders.xlsx', 'output/orders_report.docx'],
    criteria: [
      { text: 'The summary sheet lists every region once, in the order of the input sheet.', expected: '1,250.50' },
      { text: 'The header is bold', expected: 'bold' },
      { text: 'Owner of the row', expected: 'Henderson' },
      { text: 'Title', expected: 'Quarterly review of stores' },
      { text: 'Count', expected: '12' },
      { text: 'No expected value', expected: null },
    ],
  },
  { taskId: TaskId.parse('office-mini/d1'), fileNames: ['a.ics'], criteria: [] },
]);

describe('lintLeaks', () => {
  it.each([
    ['a task id', 'As in office-mini/d1, read the dates first.', ['task-id']],
    ['the task part of an id', 'The trick of EXCEL-041 works here.', ['task-id']],
    ['an input file', 'Open orders.xlsx first.', ['file-name']],
    ['an output file, in any case', 'Save Orders_Report.DOCX early.', ['file-name']],
    ['a reference number without its separators', 'The sum must be 1250.50.', ['reference-value']],
    ['a reference name', 'Ask for Henderson.', ['reference-value']],
    ['a reference text in another case', 'Use the quarterly  review of stores as title.', ['reference-value']],
    [
      'eight words of a rubric sentence',
      'Make sure the summary sheet lists every region once, in the right order.',
      ['rubric-text'],
    ],
    ['several at once', 'office-mini/d1: orders.xlsx', ['task-id', 'file-name']],
  ])('finds %s', (_, content, leaks) => {
    expect(lintLeaks(content, terms)).toEqual(leaks);
  });

  it.each([
    ['a cell address that looks like a short task name', 'Write the total into D1.'],
    ['a word of the vocabulary that is also an expected value', 'Make header rows bold.'],
    ['a small number', 'Check at least 12 rows.'],
    ['a name inside a longer word', 'Hendersonville is a place.'],
    ['a number inside a longer one', 'Numbers such as 91250.507 need care.'],
    ['seven words of a rubric sentence', 'the summary sheet lists every region once again'],
    ['a general rule', 'Recalculate the workbook before reading a formula cell.'],
    ['nothing', ''],
  ])('passes %s', (_, content) => {
    expect(lintLeaks(content, terms)).toEqual([]);
  });

  it('tells the kind alone, so that a finding cannot carry the value', () => {
    expect(JSON.stringify(lintLeaks('Ask for Henderson.', terms))).not.toContain('Henderson');
  });
});

describe('leakTermsOf', () => {
  it('sorts its terms and drops repeats and absent values', () => {
    const task = { taskId: TaskId.parse('p/a'), fileNames: ['b', 'a', 'b'], criteria: [{ text: 't', expected: null }] };
    expect(leakTermsOf([task, task])).toEqual({
      taskIds: ['p/a'],
      fileNames: ['a', 'b'],
      referenceValues: [],
      rubricSentences: ['t'],
    });
  });
});
