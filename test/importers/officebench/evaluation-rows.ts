import type { SpecItem } from '../../../src/schema/officebench.ts';

/** Title, Python that writes the outputs, the item, and whether it passes. */
export type EvaluationRow = [rule: string, outputs: string, item: SpecItem, passes: boolean];

type DocType = Extract<SpecItem, { function: 'contain' }>['doc_type'];

export const contain = (doc_type: DocType, file: string, ...keywords: string[]): SpecItem => ({
  function: 'contain',
  doc_type,
  file,
  username: null,
  keywords,
});
export const mail = (username: string, ...keywords: string[]): SpecItem => ({
  function: 'contain',
  doc_type: 'email',
  file: null,
  username,
  keywords,
});
export const not = (item: SpecItem): SpecItem => {
  if (item.function !== 'contain') throw new Error('only contain can be negated');
  return { ...item, function: 'not_contain' };
};
export const cells = (...matches: [number, number, string][]): SpecItem => ({
  function: 'excel_cell_value',
  file: 'data/a.xlsx',
  matches: matches.map(([row, col, value]) => ({ row, col, value })),
});
export const among = (...one_of: string[]): SpecItem => ({
  function: 'excel_cell_comparator',
  file: 'data/a.xlsx',
  matches: [{ row: 1, col: 1, one_of }],
});
export const equal = (doc_type: 'xlsx' | 'pdf' | 'doc' | 'txt', extension: string = doc_type): SpecItem => ({
  function: 'exact_match',
  doc_type,
  result: `data/a.${extension}`,
  expected: `expected/a.${extension}`,
});
export const changed = (...keywords: string[]): SpecItem => ({
  function: 'diff_contain_text',
  doc_type: 'xlsx',
  input: 'expected/a.xlsx',
  output: 'data/a.xlsx',
  keywords,
});
export const free: SpecItem = { function: 'calendar_no_overlap', username: 'Bob' };

export const answer = (content: string) => `text("data/answer.txt", ${JSON.stringify(content)})`;
export const bookOf = (rows: string) => `book("data/a.xlsx", ${rows})`;
export const both = (expected: string, rows: string) =>
  `book(tests + "/expected/a.xlsx", ${expected}); ${bookOf(rows)}`;
export const letter = (to: string, body: string) =>
  `os.makedirs("emails/${to}"); do_mail("emails/${to}/a.eml", "Alice", "${to}", "greeting", [${JSON.stringify(body)}])`;
export const event = (start: string, end: string) => `"DTSTART:${start}\\nDTEND:${end}\\nSUMMARY:x"`;

export const inAnswer = (...keywords: string[]) => contain('txt', 'data/answer.txt', ...keywords);
export const inBook = (...keywords: string[]) => contain('xlsx', 'data/a.xlsx', ...keywords);
export const inDocument = (...keywords: string[]) => contain('docx', 'data/a.docx', ...keywords);
export const pdf = (...lines: string[]) => `do_pdf("data/a.pdf", ${JSON.stringify(lines)})`;
