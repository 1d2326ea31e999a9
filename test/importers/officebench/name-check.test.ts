import { describe, expect, test } from 'vitest';
import { checkNames, namedFiles } from '../../../src/importers/officebench/name-check.ts';
import type { SpecItem } from '../../../src/schema/officebench.ts';

const reads = (...paths: string[]): SpecItem[] => paths.map((file) => ({ function: 'file_exist', file }));

describe('names in the text against names in the evaluation', () => {
  test.each([
    ['the same name', 'write a.docx', reads('data/a.docx'), [], 0],
    ['another name of the same type', 'write cotact.xlsx', reads('data/contact.xlsx'), [], 1],
    ['an input that differs in case', 'add to house.docx', reads('data/house.docx'), ['data/House.docx'], 1],
    ['another type', 'write a.txt', reads('data/b.docx'), [], 0],
    ['a placeholder is no name', 'rename to {ID}.docx', reads('data/A1.docx'), [], 0],
    ['a name that is an input', 'read a.docx', reads('data/b.docx'), ['data/a.docx'], 0],
    ['the name of an event file', 'save as training.ics', reads('calendar/Bob.ics'), [], 0],
    ['the answer text', 'read notes.txt', reads('data/answer.txt'), [], 0],
    ['a name in another folder', 'save report.pdf in x', reads('data/report.pdf', 'data/x/report.pdf'), [], 0],
  ])('%s', (_, text, items, inputs, contradictions) => {
    expect(checkNames(text, items, inputs).contradictions).toHaveLength(contradictions);
  });

  test('a file that is nowhere is reported', () => {
    expect(checkNames('from CS161_roster.csv', reads('data/a.docx'), ['data/r.xlsx']).absent).toEqual([
      'CS161_roster.csv',
    ]);
  });

  test('names are found within punctuation, once', () => {
    expect(namedFiles("a.docx, 'b.xlsx'. (c.pdf) a.docx e.g. 3.5 www.example.com")).toEqual([
      'a.docx',
      'b.xlsx',
      'c.pdf',
    ]);
  });
});
