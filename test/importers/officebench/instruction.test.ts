import { describe, expect, test } from 'vitest';
import { instruction } from '../../../src/importers/officebench/instruction.ts';
import type { SpecItem, UpstreamSubtask } from '../../../src/schema/officebench.ts';

const subtask: UpstreamSubtask = {
  username: 'Alice',
  date: '2020-05-01',
  weekday: 'Friday',
  time: '10:00 AM',
  task: 'do it',
  evaluation: [],
};
const secret = 'sealed keyword';
const text = (items: SpecItem[], inputs: string[] = []) => instruction(subtask, items, new Set(inputs));

describe('the instruction', () => {
  test('starts with upstream’s prefix and the task', () => {
    expect(text([{ function: 'file_exist', file: 'data/a.docx' }])).toMatch(
      /^Today is 2020-05-01 \(Friday\)\. The current time is 10:00 AM\. You are an AI assistant for user Alice\.\n\ndo it\n\n/,
    );
  });

  test.each<[string, SpecItem]>([
    [
      'data/answer.txt',
      { function: 'contain', doc_type: 'txt', file: 'data/answer.txt', username: null, keywords: [secret] },
    ],
    [
      'data/b.xlsx',
      { function: 'excel_cell_value', file: 'data/b.xlsx', matches: [{ row: 1, col: 1, value: secret }] },
    ],
    [
      'data/c.xlsx',
      { function: 'exact_match', doc_type: 'xlsx', result: 'data/c.xlsx', expected: `expected/${secret}` },
    ],
    ['calendar/Bob.ics', { function: 'calendar_no_overlap', username: 'Bob' }],
    ['data/d.jpg', { function: 'file_exist', file: 'data/d.jpg' }],
    ['emails/Alice/', { function: 'contain', doc_type: 'email', file: null, username: 'Bob', keywords: [secret] }],
  ])('names %s and no expected value', (path, item) => {
    expect(text([item])).toContain(`\`${path}`);
    expect(text([item])).not.toContain(secret);
  });

  test('says what mail and events look like only where they are looked at', () => {
    const plain = text([{ function: 'file_exist', file: 'data/a.docx' }]);
    expect(plain).not.toMatch(/RFC 5322|VEVENT/);
    expect(text([{ function: 'calendar_no_overlap', username: 'Bob' }])).toContain('VEVENT');
  });

  test('names a mailbox that is only to be left alone, since it has to exist', () => {
    const left: SpecItem = {
      function: 'not_contain',
      doc_type: 'email',
      file: null,
      username: 'Liam',
      keywords: ['x'],
    };
    expect(text([left])).toContain('`emails/Liam/` has to be there');
  });
});
