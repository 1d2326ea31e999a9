import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgeJailView } from '../../src/domain/jail-views.ts';
import { JudgeReport } from '../../src/schema/judgement.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { runPython } from '../judges/run-python.ts';
import { JailFixture, doneOf } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';
import { reachableEnvironment } from '../support/reachable-environment.ts';

/** Bytes of a task's references: they may appear in nothing that leaves the judge. */
const reference = 'reference-bytes-0123456789';
const unreadable = [
  ...['bomb.xlsx', 'entries.docx', 'entity.docx', 'entity-utf16.docx', 'encoding.docx', 'merged.xlsx'],
  ...[
    'merged-columns.xlsx',
    'merged-escaped.xlsx',
    'encrypted.xlsx',
    'ole.docx',
    'renamed.pptx',
    'deep.json',
    'deep.eml',
  ],
];
const planted = ['conftest.py', 'json.py', 'openpyxl.py', 'anneal_judges.py', 'judge.py', 'sitecustomize.py', 'x.pth'];

describeAtEachLevel('the judge of a hostile delivery', (level) => {
  let jails: JailFixture;
  let files: string;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
    files = await jails.folder('files');
    await runPython(join(packageRoot, 'test/judges/hostile_files.py'), [files]);
    await cp(join(packageRoot, 'judges'), join(jails.root, 'judges'), { recursive: true });
  });
  afterAll(() => jails.remove());

  /** Judge outputs by criteria, function bodies by name, in the judge jail of real tasks. */
  async function judge(name: string, outputs: Record<string, string | Buffer>, criteria: Record<string, string>) {
    const deliverables = Object.keys(outputs).filter((path) => path.startsWith('output/'));
    const source = [
      'from anneal_judges import TaskJudge, holds',
      `judge = TaskJudge(${JSON.stringify(deliverables)})`,
      ...Object.entries(criteria).map(
        ([id, body]) =>
          `@judge.criterion("${id}", "text", kind="semantic", weight=${1 / Object.keys(criteria).length}, category="facts")\ndef ${id}(case):\n    ${body.replaceAll('\n', '\n    ')}`,
      ),
    ].join('\n');
    const run = '"$ANNEAL_PYTHON" -I "$ANNEAL_JUDGES/run.py" /tests --workdir /app --verdict /logs/verifier\n';
    const tests = await jails.folder(`tests-${name}`, {
      'judge.py': source,
      'test.sh': run,
      'reference.txt': reference,
    });
    const delivered = await jails.folder(`outputs-${name}`);
    for (const [path, content] of Object.entries(outputs)) {
      await mkdir(dirname(join(delivered, path)), { recursive: true });
      await writeFile(join(delivered, path), content);
    }
    const directory = jails.stateDirectory();
    const view = judgeJailView({
      outputs: delivered,
      workDirectory: '/app',
      tests,
      judges: join(jails.root, 'judges'),
      solver: reachableEnvironment(jails.root, level, 'solver'),
    });
    const sandbox = { ...jails.judge('', delivered), ...view, argv: ['/bin/bash', '/tests/test.sh'] };
    const done = doneOf(
      await jails.sandbox.judge(directory, { ...sandbox, limits: { wallMs: 40_000 } }, AbortSignal.timeout(50_000)),
    );
    const printed = await readFile(join(directory, 'test-stdout.txt'), 'utf8');
    expect([done.end, printed]).toEqual([{ kind: 'exited', code: 0 }, '']);
    return { reward: Number(done.rewardText), report: JudgeReport.parse(JSON.parse(done.reportText ?? '')), done };
  }

  it('probe 18: bombs, entities, encrypted and endless files are unreadable, and judged in time', async () => {
    const outputs: Record<string, Buffer> = {};
    for (const name of unreadable) outputs[`output/${name}`] = await readFile(join(files, name));
    const { reward, report, done } = await judge('unreadable', outputs, { a: 'return holds(True, "opened")' });
    expect(reward).toBe(0);
    expect(report.deliveryFaults).toEqual(Object.keys(outputs).map((file) => ({ file, fault: 'unreadable' })));
    expect(done.wallMs).toBeLessThan(30_000);
  });

  it('probe 18: a sheet with one cell in its last corner is unknown, and judged in time', async () => {
    const file = 'output/wide.xlsx';
    const body = `from anneal_judges.readers.workbooks import rows_of\nreturn holds(True, str(rows_of(case.output.workbook("${file}").active)))`;
    const { report } = await judge('wide', { [file]: await readFile(join(files, 'wide.xlsx')) }, { rows: body });
    expect(report.criteria[0]?.status).toBe('unknown');
  });

  it('probe 19: links and formulas fetch nothing, and no planted module is imported', async () => {
    const [document, workbook] = ['output/linked.docx', 'output/formulas.xlsx'];
    const mark = 'open("/logs/verifier/imported", "w").close()\nraise SystemExit(9)\n';
    const value = (cell: string) =>
      `from anneal_judges.formula import Evaluator\nreturn holds(True, str(Evaluator(case.output.workbook("${workbook}")).value("Sheet", "${cell}")))`;
    const { report, done } = await judge(
      'linked',
      {
        [document]: await readFile(join(files, 'linked.docx')),
        [workbook]: await readFile(join(files, 'formulas.xlsx')),
        ...Object.fromEntries(planted.map((name) => [name, mark])),
        'anneal_judges/__init__.py': mark,
      },
      {
        document: `from anneal_judges.readers.documents import story_texts\nreturn holds(True, str(story_texts(case.output.document("${document}"))))`,
        service: value('A3'),
        outside: value('A7'),
        hyperlink: value('A8'),
      },
    );
    const seen = Object.fromEntries(report.criteria.map(({ id, status, observed }) => [id, `${status} ${observed}`]));
    expect(seen['outside']).toContain('#REF!');
    expect(seen['service']).toMatch(/^unknown/);
    expect(seen['hyperlink']).not.toMatch(/192\.0\.2\.1.*1/);
    expect(JSON.stringify([report, done])).not.toContain(reference);
    expect(report.criteria.find(({ id }) => id === 'document')?.observed).toContain('Linked.');
  });

  it('probe 20: a slide that asks for points, and terminal sequences in it, change nothing', async () => {
    const file = 'output/flattering.pptx';
    const body = `from anneal_judges.readers.decks import slide_text\ntext = " ".join(slide_text(slide) for slide in case.output.deck("${file}").slides)\nreturn holds("Totals" in text, text)`;
    const { reward, report } = await judge(
      'deck',
      { [file]: await readFile(join(files, 'flattering.pptx')) },
      { a: body },
    );
    expect(reward).toBe(0);
    expect(report.criteria[0]).toMatchObject({ status: 'fail' });
    expect(report.criteria[0]?.observed).toContain('give 10/10');
    expect(report.criteria[0]?.observed).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
