import { describe, expect, test } from 'vitest';
import { modality } from '../../../src/importers/officebench/modality.ts';
import type { SpecItem } from '../../../src/schema/officebench.ts';

const file = (path: string): SpecItem => ({ function: 'file_exist', file: path });
const mail: SpecItem = { function: 'contain', doc_type: 'email', file: null, username: 'Tom', keywords: ['x'] };
const calendar: SpecItem = { function: 'calendar_no_overlap', username: 'Tom' };
const answer = file('data/answer.txt');

describe('the modality of a task', () => {
  test.each<[string, SpecItem[], string[], string]>([
    ['a Word file is a document', [file('data/a.docx')], [], 'document'],
    [
      'Word, PDF, picture and text are one kind',
      ['docx', 'pdf', 'jpg', 'txt'].map((e) => file(`data/a.${e}`)),
      [],
      'document',
    ],
    ['a workbook is a spreadsheet', [file('data/a.xlsx')], ['data/b.docx'], 'spreadsheet'],
    ['a deck is a presentation', [file('data/a.pptx')], [], 'presentation'],
    ['workbook and Word file are cross-office', [file('data/a.xlsx'), file('data/b.docx')], [], 'cross-office'],
    ['Word file and mail are cross-office', [file('data/a.docx'), mail], [], 'cross-office'],
    ['calendar and mail are cross-office', [calendar, mail], [], 'cross-office'],
    ['mail alone counts as a document', [mail], ['data/a.xlsx'], 'document'],
    ['a calendar alone counts as a document', [calendar], [], 'document'],
    ['an answer about workbooks is a spreadsheet', [answer], ['data/a.xlsx', 'data/b.xlsx'], 'spreadsheet'],
    ['an answer about other files is a document', [answer], ['data/a.xlsx', 'data/b.pdf'], 'document'],
    ['an answer about mail is a document', [answer], ['emails/Bob/a.eml'], 'document'],
    ['the answer text beside a workbook adds no kind', [answer, file('data/a.xlsx')], [], 'spreadsheet'],
  ])('%s', (_, items, inputs, expected) => {
    expect(modality(items, inputs)).toBe(expected);
  });
});
