import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SpecItem } from '../../../src/schema/officebench.ts';
import { runJudge, testsFolder, workingDirectory } from './judge-fixture.ts';

const answer: SpecItem = {
  function: 'contain',
  doc_type: 'txt',
  file: 'data/answer.txt',
  username: null,
  keywords: ['secret-9', 'zebra'],
};
const workbook: SpecItem = {
  function: 'excel_cell_value',
  file: 'data/a.xlsx',
  matches: [{ row: 1, col: 1, value: 'x' }],
};
const document: SpecItem = { ...answer, doc_type: 'docx', file: 'data/a.docx' };

describe('the judge of an imported task', () => {
  test('writes 1 where every item passes', async () => {
    const workdir = workingDirectory('text("data/answer.txt", "secret-9 zebra")');
    const judged = await runJudge(testsFolder([answer]), workdir);
    expect(judged).toMatchObject({
      kind: 'verdict',
      reward: '1.0',
      report: { delivered: true, reward: 1, vector: { semantic: 100, strict: true } },
    });
  });

  test('writes 0 where one of two items fails, keeps the share beside it, and seals the keywords in `expected`', async () => {
    const workdir = workingDirectory('text("data/answer.txt", "secret-9")');
    const judged = await runJudge(testsFolder([answer, { function: 'file_exist', file: 'data/answer.txt' }]), workdir);
    if (judged.kind !== 'verdict') throw new Error(judged.why);
    expect(judged.reward).toBe('0.0');
    const { report } = judged;
    expect(report).toMatchObject({ delivered: true, reward: 0, vector: { semantic: 50, strict: false } });
    expect(report.criteria.map(({ status, weight }) => [status, weight])).toEqual([
      ['fail', 0.5],
      ['pass', 0.5],
    ]);
    expect(report.criteria[0]?.expected).toBe('secret-9\nzebra');
    const open = JSON.stringify({ ...report, criteria: report.criteria.map((one) => ({ ...one, expected: null })) });
    expect(open).not.toMatch(/secret-9|zebra/);
  });

  test('tells an undelivered file from a wrong one', async () => {
    const items: SpecItem[] = [answer, workbook, document];
    const workdir = workingDirectory('text("data/a.xlsx", "rubbish"); text("data/a.docx", "")');
    const judged = await runJudge(testsFolder(items), workdir);
    expect(judged).toMatchObject({
      kind: 'verdict',
      reward: '0.0',
      report: {
        delivered: false,
        deliveryFaults: [
          { file: 'data/answer.txt', fault: 'missing' },
          { file: 'data/a.xlsx', fault: 'unreadable' },
          { file: 'data/a.docx', fault: 'empty' },
        ],
      },
    });
  });

  test('a missing reference is a defect: no verdict, exit 3', async () => {
    const workdir = workingDirectory('book("data/a.xlsx", [[1]])');
    const item: SpecItem = {
      function: 'exact_match',
      doc_type: 'xlsx',
      result: 'data/a.xlsx',
      expected: 'expected/a.xlsx',
    };
    expect(await runJudge(testsFolder([item]), workdir)).toMatchObject({ kind: 'none', code: 3 });
  });

  test('a spec of another mode is a defect', async () => {
    const tests = testsFolder([answer]);
    writeFileSync(join(tests, 'spec.json'), JSON.stringify({ version: 1, mode: 'strict', items: [answer] }));
    expect(await runJudge(tests, workingDirectory(''))).toMatchObject({ kind: 'none', code: 3 });
  });
});

const zipBomb = `
import zipfile
with zipfile.ZipFile("data/a.docx", "w", zipfile.ZIP_DEFLATED) as package:
    for name in range(5):
        package.writestr(f"word/{name}.xml", bytes(60_000_000))
`;
const entityBomb = `
import docx, zipfile
do_document("data/b.docx", ["x"])
bomb = '<!DOCTYPE d [<!ENTITY a "zebra">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{("&" + chr(97 + n) + ";") * 10}">' for n in range(9)) + "]>"
with zipfile.ZipFile("data/b.docx") as source, zipfile.ZipFile("data/a.docx", "w") as target:
    for entry in source.namelist():
        content = source.read(entry)
        if entry == "word/document.xml":
            content = content.replace(b"<w:document", bomb.encode() + b"<w:document", 1).replace(b">x<", b">&j;<")
        target.writestr(entry, content)
os.remove("data/b.docx")
`;
const hugeSheet = 'import openpyxl; b = openpyxl.Workbook(); b.active["XFD1048576"] = "x"; b.save("data/a.xlsx")';

describe('a hostile output costs its item and never the verdict', () => {
  test.each<[string, string, SpecItem]>([
    ['a sheet of 17 thousand million cells', hugeSheet, workbook],
    ['a package that unpacks to 300 MB', zipBomb, document],
    ['an entity that expands to thousands of millions', entityBomb, document],
    ['a text of 100 MB', 'open("data/answer.txt", "wb").truncate(100_000_000)', answer],
    ['a pipe in place of a file', 'os.mkfifo("data/answer.txt")', answer],
    ['a folder in place of a file', 'os.makedirs("data/answer.txt")', answer],
    [
      'a calendar of deep nesting',
      'text("calendar/Bob.ics", "BEGIN:VEVENT\\n" * 20_000)',
      { function: 'calendar_no_overlap', username: 'Bob' },
    ],
    [
      'a mail of deep nesting',
      'text("emails/Bob/a.eml", "Content-Type: multipart/mixed; boundary=b\\n\\n--b\\n" * 5_000)',
      { ...answer, doc_type: 'email', file: null, username: 'Bob' },
    ],
  ])('%s', async (_, outputs, item) => {
    const judged = await runJudge(testsFolder([item]), workingDirectory(outputs));
    expect(judged).toMatchObject({ kind: 'verdict', reward: '0.0' });
  });

  test('a link out of the working directory is not followed', async () => {
    const workdir = workingDirectory('');
    const outside = workingDirectory('text("data/answer.txt", "secret-9 zebra")');
    symlinkSync(join(outside, 'data', 'answer.txt'), join(workdir, 'data', 'answer.txt'));
    expect(await runJudge(testsFolder([answer]), workdir)).toMatchObject({ kind: 'verdict', reward: '0.0' });
    const folder = workingDirectory('os.rmdir("data")');
    symlinkSync(join(outside, 'data'), join(folder, 'data'));
    expect(await runJudge(testsFolder([answer]), folder)).toMatchObject({ kind: 'verdict', reward: '0.0' });
  });
});
