import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeCase, runJudge } from './run-judge.ts';
import { runPython } from './run-python.ts';

let folder = '';

beforeAll(async () => {
  folder = temporaryFolder('hostile');
  await runPython(join(import.meta.dirname, 'hostile_files.py'), [folder]);
});

/** A judge whose only criterion has the given body; `file` is its deliverable. */
function judgeOf(file: string, body = 'return holds(True, "opened")'): string {
  const place = 'kind="semantic", weight=1, category="facts"';
  return `from anneal_judges import TaskJudge, holds
FILE = "${file}"
judge = TaskJudge([FILE])
@judge.criterion("a", "text", ${place})
def a(case):
    ${body}
`;
}

const unreadable = [
  { title: 'a part that unpacks to 40 MB', name: 'bomb.xlsx' },
  { title: 'three thousand entries', name: 'entries.docx' },
  { title: 'an entity declaration', name: 'entity.docx' },
  { title: 'an entity declaration in UTF-16', name: 'entity-utf16.docx' },
  { title: 'an encoding that could hide one', name: 'encoding.docx' },
  { title: 'seventeen billion merged cells', name: 'merged.xlsx' },
  { title: 'merged columns', name: 'merged-columns.xlsx' },
  { title: 'a merged range behind a character reference', name: 'merged-escaped.xlsx' },
  { title: 'an encrypted package', name: 'encrypted.xlsx' },
  { title: 'a password-protected document', name: 'ole.docx' },
  { title: 'a document that calls itself a deck', name: 'renamed.pptx' },
  { title: 'a mail nested three thousand times', name: 'deep.eml' },
  { title: 'arrays nested without end', name: 'deep.json' },
];

describe('a hostile file is unreadable, at once', () => {
  it.each(unreadable)('$title', { timeout: 20_000 }, async ({ name }) => {
    const file = `output/a${extname(name)}`;
    const judged = await makeCase(judgeOf(file), { [file]: await readFile(join(folder, name)) });
    const started = performance.now();
    const run = await runJudge(judged);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.report?.deliveryFaults).toEqual([{ file, fault: 'unreadable' }]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('source that the parser gives up on is scored one way or the other', { timeout: 20_000 }, async () => {
    const content = await readFile(join(folder, 'deep.py'));
    const run = await runJudge(await makeCase(judgeOf('output/a.py'), { 'output/a.py': content }));
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.report).not.toBeNull();
  });
});

describe('what is no regular file is never followed', () => {
  it('a link to a file that would pass is unreadable', async () => {
    const judged = await makeCase(judgeOf('output/a.json'), { 'real.json': '{}', 'output/b.json': '{}' });
    await symlink('../real.json', join(judged.workdir, 'output', 'a.json'));
    expect((await runJudge(judged)).report?.deliveryFaults).toEqual([{ file: 'output/a.json', fault: 'unreadable' }]);
  });

  it('a linked folder is not entered', async () => {
    const judged = await makeCase(judgeOf('output/a.json'), { 'real/a.json': '{}' });
    await symlink('real', join(judged.workdir, 'output'));
    expect((await runJudge(judged)).report?.deliveryFaults).toEqual([{ file: 'output/a.json', fault: 'unreadable' }]);
  });

  it('a pipe does not stall the judge', async () => {
    const judged = await makeCase(judgeOf('output/a.json'), { 'output/b.json': '{}' });
    await promisify(execFile)('mkfifo', [join(judged.workdir, 'output', 'a.json')]);
    expect((await runJudge(judged)).report?.deliveryFaults).toEqual([{ file: 'output/a.json', fault: 'unreadable' }]);
  });

  it('a folder is no deliverable', async () => {
    const judged = await makeCase(judgeOf('output/a.json'));
    await mkdir(join(judged.workdir, 'output', 'a.json'), { recursive: true });
    expect((await runJudge(judged)).report?.deliveryFaults).toEqual([{ file: 'output/a.json', fault: 'unreadable' }]);
  });
});

describe('planted modules', () => {
  it.each(['openpyxl', 'json', 'anneal_judges', 'judge', 'sitecustomize'])('%s.py is not imported', async (name) => {
    const judged = await makeCase(judgeOf('output/a.xlsx'), {
      'output/a.xlsx': await readFile(join(folder, 'wide.xlsx')),
    });
    await writeFile(join(judged.workdir, `${name}.py`), 'raise SystemExit(9)');
    const run = await runJudge(judged);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.report?.reward).toBe(1);
  });
});

describe('a criterion on a hostile workbook is unknown, at once', () => {
  const value = (cell: string): string =>
    `from anneal_judges.formula import Evaluator\n    return holds(True, str(Evaluator(case.output.workbook(FILE)).value("Sheet", "${cell}")))`;
  const bodies = [
    {
      title: 'a cell in the last corner, read as rows',
      name: 'wide.xlsx',
      body: 'from anneal_judges.readers.workbooks import rows_of\n    return holds(True, str(rows_of(case.output.workbook(FILE).active)))',
    },
    { title: 'a circle', name: 'formulas.xlsx', body: value('A1') },
    { title: 'a call to the network', name: 'formulas.xlsx', body: value('A3') },
    { title: 'a sum over the whole sheet', name: 'formulas.xlsx', body: value('A4') },
    { title: 'brackets nested without end', name: 'formulas.xlsx', body: value('A5') },
  ];
  it.each(bodies)('$title', { timeout: 20_000 }, async ({ name, body }) => {
    const judged = await makeCase(judgeOf('output/a.xlsx', body), {
      'output/a.xlsx': await readFile(join(folder, name)),
    });
    const run = await runJudge(judged);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.report?.criteria[0]).toMatchObject({ status: 'unknown' });
  });

  it('a power without end is an error value', async () => {
    const judged = await makeCase(judgeOf('output/a.xlsx', value('A6')), {
      'output/a.xlsx': await readFile(join(folder, 'formulas.xlsx')),
    });
    expect((await runJudge(judged)).report?.criteria[0]?.observed).toContain('#NUM!');
  });
});
