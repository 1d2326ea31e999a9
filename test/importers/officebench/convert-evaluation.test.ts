import { describe, expect, test } from 'vitest';
import { convertItem, UnknownEvaluation } from '../../../src/importers/officebench/convert-evaluation.ts';
import { SpecItem, UpstreamItem, UpstreamSubtask } from '../../../src/schema/officebench.ts';

const matches = [{ row: '2', col: 1, value: '98' }];

describe('an upstream evaluation item', () => {
  test.each([
    [
      { function: 'evaluate_contain', args: { doc_type: 'txt', file: './data/answer.txt', keywords: ['9'] } },
      { function: 'contain', doc_type: 'txt', file: 'data/answer.txt', username: null, keywords: ['9'] },
    ],
    [
      { function: 'evaluate_not_contain', args: { doc_type: 'email', username: 'Tom', keywords: ['x'] } },
      { function: 'not_contain', doc_type: 'email', file: null, username: 'Tom', keywords: ['x'] },
    ],
    [
      { function: 'evaluate_file_exist', args: { file: 'data/a' } },
      { function: 'file_exist', file: 'data/a' },
    ],
    [
      { function: 'evaluate_file_not_exist', args: { file: 'data/a' } },
      { function: 'file_not_exist', file: 'data/a' },
    ],
    [
      { function: 'evaluate_excel_cell_value', args: { file: 'data/a.xlsx', matches } },
      { function: 'excel_cell_value', file: 'data/a.xlsx', matches: [{ row: 2, col: 1, value: '98' }] },
    ],
    [
      { function: 'evaluate_excel_cell_value', file: 'data/a.xlsx', args: { matches } },
      { function: 'excel_cell_value', file: null, matches: [{ row: 2, col: 1, value: '98' }] },
    ],
    [
      {
        function: 'evaluate_excel_cell_comparator',
        args: { file: 'data/a.xlsx', matches: [{ row: '2', col: '2', comparator: "lambda x: x in ['1', '2']" }] },
      },
      { function: 'excel_cell_comparator', file: 'data/a.xlsx', matches: [{ row: 2, col: 2, one_of: ['1', '2'] }] },
    ],
    [
      {
        function: 'evaluate_exact_match',
        args: { doc_type: 'xlsx', result_file: './data/a.xlsx', expected_file: '../../../../reference/b.xlsx' },
      },
      { function: 'exact_match', doc_type: 'xlsx', result: 'data/a.xlsx', expected: 'expected/b.xlsx' },
    ],
    [
      {
        function: 'evaluate_diff_contain_text',
        file: 'data/a.xlsx',
        args: {
          doc_type: 'xlsx',
          input_file: '../../../../cache/0/testbed/data/a.xlsx',
          output_file: './data/a.xlsx',
          keywords: ['x'],
        },
      },
      {
        function: 'diff_contain_text',
        doc_type: 'xlsx',
        input: 'pristine/data/a.xlsx',
        output: 'data/a.xlsx',
        keywords: ['x'],
      },
    ],
    [
      { function: 'evaluate_calendar_no_overlap', args: { username: 'Bob' } },
      { function: 'calendar_no_overlap', username: 'Bob' },
    ],
  ])('%j is rewritten', (upstream, expected) => {
    const item = convertItem(UpstreamItem.parse(upstream));
    expect(item).toEqual(expected);
    expect(SpecItem.parse(item)).toEqual(expected);
  });

  test.each([
    'lambda x: __import__("os").system("true") or x in [\'1\']',
    "lambda x: x in ['1'] or print(x)",
    "lambda x: y in ['1']",
    'lambda x: int(x) > 3',
  ])('the comparator %j is refused, not run', (comparator) => {
    const args = { file: 'data/a.xlsx', matches: [{ row: 1, col: 1, comparator }] };
    const item = UpstreamItem.parse({ function: 'evaluate_excel_cell_comparator', args });
    expect(() => convertItem(item)).toThrow(UnknownEvaluation);
  });

  test.each(['Bob/../../etc', '../Bob', '', '.', 'Bob\n'])('the user name %j is refused', (username) => {
    const args = { username };
    expect(UpstreamItem.safeParse({ function: 'evaluate_calendar_no_overlap', args }).success).toBe(false);
    const subtask = { username, date: 'd', weekday: 'w', time: 't', task: 'x', evaluation: [] };
    expect(UpstreamSubtask.safeParse(subtask).success).toBe(false);
  });
});
