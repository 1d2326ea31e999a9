import { describe, expect, test } from 'vitest';
import type { SpecItem } from '../../../src/schema/officebench.ts';
import { judgeRows } from './judge-fixture.ts';

type DocType = Extract<SpecItem, { function: 'contain' }>['doc_type'];

const contain = (doc_type: DocType, file: string, ...keywords: string[]): SpecItem => ({
  function: 'contain',
  doc_type,
  file,
  username: null,
  keywords,
});
const mail = (username: string, ...keywords: string[]): SpecItem => ({
  function: 'contain',
  doc_type: 'email',
  file: null,
  username,
  keywords,
});
const not = (item: SpecItem): SpecItem =>
  item.function === 'contain' ? { ...item, function: 'not_contain' } : expect.unreachable();
const cells = (...matches: [number, number, string][]): SpecItem => ({
  function: 'excel_cell_value',
  file: 'data/a.xlsx',
  matches: matches.map(([row, col, value]) => ({ row, col, value })),
});
const among = (...one_of: string[]): SpecItem => ({
  function: 'excel_cell_comparator',
  file: 'data/a.xlsx',
  matches: [{ row: 1, col: 1, one_of }],
});
const equal = (doc_type: 'xlsx' | 'pdf' | 'doc' | 'txt', extension: string = doc_type): SpecItem => ({
  function: 'exact_match',
  doc_type,
  result: `data/a.${extension}`,
  expected: `expected/a.${extension}`,
});
const changed = (...keywords: string[]): SpecItem => ({
  function: 'diff_contain_text',
  doc_type: 'xlsx',
  input: 'expected/a.xlsx',
  output: 'data/a.xlsx',
  keywords,
});
const free: SpecItem = { function: 'calendar_no_overlap', username: 'Bob' };

const answer = (content: string) => `text("data/answer.txt", ${JSON.stringify(content)})`;
const bookOf = (rows: string) => `book("data/a.xlsx", ${rows})`;
const both = (expected: string, rows: string) => `book(tests + "/expected/a.xlsx", ${expected}); ${bookOf(rows)}`;
const letter = (to: string, body: string) =>
  `os.makedirs("emails/${to}"); do_mail("emails/${to}/a.eml", "Alice", "${to}", "greeting", [${JSON.stringify(body)}])`;
const event = (start: string, end: string) => `"DTSTART:${start}\\nDTEND:${end}\\nSUMMARY:x"`;

const inAnswer = (...keywords: string[]) => contain('txt', 'data/answer.txt', ...keywords);
const inBook = (...keywords: string[]) => contain('xlsx', 'data/a.xlsx', ...keywords);
const inDocument = (...keywords: string[]) => contain('docx', 'data/a.docx', ...keywords);
const pdf = (...lines: string[]) => `do_pdf("data/a.pdf", ${JSON.stringify(lines)})`;

const rows: [string, string, SpecItem, boolean][] = [
  ['contain: a keyword matches whatever its case', answer('THE Answer'), inAnswer('the', 'ANSWER'), true],
  ['contain: every keyword is needed', answer('the'), inAnswer('the', 'answer'), false],
  [
    'contain: a number matches inside a longer one',
    answer('29 students and 0 of 12 seniors'),
    inAnswer('9', '2'),
    true,
  ],
  ['contain: commas leave the text for a numeric keyword', answer('1,606,499'), inAnswer('1606499'), true],
  ['contain: a signed decimal is numeric', answer('-1,234.5'), inAnswer('-1234.5'), true],
  ['contain: a keyword with a comma finds it before any number', answer('a, b and 7'), inAnswer('a, b', '7'), true],
  ['contain: commas stay away after a number', answer('a, b and 7'), inAnswer('7', 'a, b'), false],
  ['contain: commas stay for a keyword that is no number', answer('$1,500'), inAnswer('$1500'), false],
  ['contain: a missing file fails', '', inAnswer('x'), false],
  ['contain: a folder is no file', 'os.makedirs("data/answer.txt")', inAnswer('x'), false],
  ['contain: a link is no file', 'text("data/b", "x"); os.symlink("b", "data/answer.txt")', inAnswer('x'), false],
  ['contain: text that is not UTF-8 fails', 'text("data/answer.txt", "é x", "latin-1")', inAnswer('x'), false],
  ['contain xlsx: a value is found', bookOf('[["Linda"]]'), inBook('linda'), true],
  ['contain xlsx: a number matches a coordinate', bookOf('[["a"], ["b"]]'), inBook('2'), true],
  ['contain xlsx: a formula is text', bookOf('[["=SUM(B1:B2)"]]'), inBook('sum(b1:b2)'), true],
  ['contain xlsx: the result of a formula is not seen', bookOf('[["=40+2"]]'), inBook('42'), false],
  [
    'contain xlsx: only the active sheet counts',
    'import openpyxl; b = openpyxl.Workbook(); b.create_sheet("s")["A1"] = "Linda"; b.save("data/a.xlsx")',
    inBook('linda'),
    false,
  ],
  ['contain xlsx: commas leave for a number', bookOf('[["2,100,000"]]'), inBook('2100000'), true],
  ['contain xlsx: the comma of a coordinate leaves too', bookOf('[["a"]]'), inBook('7', '(1, 1)'), false],
  [
    'contain xlsx: another extension is not opened',
    bookOf('[["Rachel"]]') + '; os.rename("data/a.xlsx", "data/a.docx")',
    contain('xlsx', 'data/a.docx', 'rachel'),
    false,
  ],
  ['contain xlsx: rubbish fails', 'text("data/a.xlsx", "Linda")', inBook('linda'), false],
  ['contain docx: paragraphs count', 'do_document("data/a.docx", ["read book"])', inDocument('read', 'book'), true],
  [
    'contain docx: tables do not count',
    'import docx; d = docx.Document(); d.add_table(1, 1).cell(0, 0).text = "read"; d.save("data/a.docx")',
    inDocument('read'),
    false,
  ],
  [
    'contain docx: headers do not count',
    'import docx; d = docx.Document(); d.sections[0].header.paragraphs[0].text = "read"; d.save("data/a.docx")',
    inDocument('read'),
    false,
  ],
  [
    'contain docx: a keyword may span runs',
    'import docx; d = docx.Document(); p = d.add_paragraph("re"); p.add_run("ad"); d.save("data/a.docx")',
    inDocument('read'),
    true,
  ],
  ['contain docx: rubbish fails', 'text("data/a.docx", "read")', inDocument('read'), false],
  ['contain doc: is read as a docx', 'do_document("data/a.docx", ["CSE"])', contain('doc', 'data/a.docx', 'cse'), true],
  [
    'contain pdf: the text layer counts',
    pdf('Electric (Power) Failure'),
    contain('pdf', 'data/a.pdf', 'electric', '(power)'),
    true,
  ],
  [
    'contain pdf: a picture has no text',
    'from PIL import Image; Image.new("RGB", (9, 9)).save("data/a.pdf")',
    contain('pdf', 'data/a.pdf', 'x'),
    false,
  ],
  ['contain pdf: rubbish fails', 'text("data/a.pdf", "x")', contain('pdf', 'data/a.pdf', 'x'), false],
  [
    'contain ics: the raw file counts',
    'calendar("Bob", "SUMMARY:nap")',
    contain('ics', 'calendar/Bob.ics', 'summary:nap'),
    true,
  ],
  ['contain ics: any text file will do', answer('Tom'), contain('ics', 'data/answer.txt', 'tom'), true],
  [
    'contain email: body, subject and addresses count',
    letter('Tom', 'come over'),
    mail('Tom', 'come over', 'greeting', 'alice@example.com'),
    true,
  ],
  [
    'contain email: all mails of the box count together',
    letter('Tom', 'one') + '; do_mail("emails/Tom/b.eml", "x", "y", "z", ["two"])',
    mail('Tom', 'one', 'two'),
    true,
  ],
  [
    'contain email: an HTML body counts',
    'text("emails/Tom/a.eml", "Content-Type: text/html; charset=utf-8\\n\\n<b>one</b>")',
    mail('Tom', 'one'),
    true,
  ],
  [
    'contain email: a mail without a charset is read',
    'text("emails/Tom/a.eml", "From: a@example.com\\nTo: tom@example.com\\nSubject: s\\n\\none\\n")',
    mail('Tom', 'one'),
    true,
  ],
  [
    'contain email: a base64 body is decoded',
    'text("emails/Tom/a.eml", "Content-Type: text/plain; charset=utf-8\\nContent-Transfer-Encoding: base64\\n\\nb25l\\n")',
    mail('Tom', 'one'),
    true,
  ],
  ['contain email: a lower-case mailbox serves', letter('tom', 'one'), mail('Tom', 'one'), true],
  ['contain email: other boxes do not serve', letter('Tommy', 'one'), mail('Tom', 'one'), false],
  ['contain email: other files of the box do not count', 'text("emails/Tom/a.txt", "one")', mail('Tom', 'one'), false],
  ['contain email: an absent mailbox fails', '', mail('Tom', 'one'), false],
  ['not_contain: absence passes', answer('a'), not(inAnswer('b')), true],
  ['not_contain: presence fails', answer('a b'), not(inAnswer('b')), false],
  ['not_contain: passes unless every keyword is there', answer('a'), not(inAnswer('a', 'b')), true],
  ['not_contain: a missing file passes', '', not(inAnswer('a')), true],
  ['not_contain: an unreadable file fails', 'text("data/a.xlsx", "x")', not(inBook('a')), false],
  ['not_contain: an absent mailbox fails', '', not(mail('Tom', 'a')), false],
  ['not_contain: an empty mailbox passes', 'os.makedirs("emails/Tom")', not(mail('Tom', 'a')), true],
  ['file_exist: a file passes', answer(''), { function: 'file_exist', file: 'data/answer.txt' }, true],
  ['file_exist: a folder passes', 'os.makedirs("data/x")', { function: 'file_exist', file: 'data/x' }, true],
  ['file_exist: nothing fails', '', { function: 'file_exist', file: 'data/answer.txt' }, false],
  ['file_exist: case counts', answer(''), { function: 'file_exist', file: 'data/Answer.txt' }, false],
  [
    'file_exist: a link to the outside fails',
    'os.symlink("/etc/passwd", "data/answer.txt")',
    { function: 'file_exist', file: 'data/answer.txt' },
    false,
  ],
  ['file_not_exist: nothing passes', '', { function: 'file_not_exist', file: 'data/a' }, true],
  ['file_not_exist: a file fails', 'text("data/a", "")', { function: 'file_not_exist', file: 'data/a' }, false],
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

describe('the nine functions in faithful mode', () => {
  const results = judgeRows(rows.map(([rule, outputs, item]) => ({ rule, outputs, item })));

  test.each(rows.map(([rule, , , passes], index) => [rule, passes, index] as const))('%s', (_, passes, index) => {
    expect(results[index]?.defect).toBeNull();
    expect(results[index]?.passed, results[index]?.observed).toBe(passes);
  });

  test('nothing observed repeats an expected value', () => {
    const keyword = 'xylophone-4711';
    const items = [inAnswer(keyword), inBook(keyword), mail('Tom', keyword), cells([1, 1, keyword]), changed(keyword)];
    const outputs = `${answer(keyword)}; ${both('[["a"]]', `[["${keyword}"]]`)}; ${letter('Tom', keyword)}`;
    for (const result of judgeRows(items.map((item) => ({ rule: 'sealed', outputs, item })))) {
      expect(result.passed, result.observed).toBe(true);
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
