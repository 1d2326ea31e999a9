import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTaskDirectory } from '../../src/adapters/task-directory.ts';
import { type ErrorDocument, isAnnealError } from '../../src/domain/errors.ts';
import { importOfficeBench } from '../../src/importers/officebench.ts';
import { TaskId } from '../../src/schema/ids.ts';
import type { ImportReport } from '../../src/schema/import-report.ts';
import { OfficeBenchSpec } from '../../src/schema/officebench.ts';
import { item, options, sourceFolder, subtask } from './officebench/source-fixture.ts';

const answer = (...keywords: string[]) => item('contain', { doc_type: 'txt', file: './data/answer.txt', keywords });
const exists = (file: string) => item('file_exist', { file });
const note = 'a note that is long enough to join two tasks: it has more than 64 bytes';

const files = {
  LICENSE: 'the licence',
  'tasks/1-1/subtasks/0.json': subtask('who wrote the note?', [answer('zebra', '42')]),
  'tasks/1-1/subtasks/1.json': subtask('write report.docx', [exists('data/report.docx')]),
  'tasks/1-1/subtasks/2.json': subtask('remove old.txt', [item('file_not_exist', { file: 'data/old.txt' })]),
  'tasks/1-1/testbed/data/note.txt': note,
  'tasks/1-2/subtasks/0.json': subtask('keep note.txt', [
    item('contain', { doc_type: 'txt', file: 'data/note.txt', keywords: ['note'] }),
  ]),
  'tasks/1-2/testbed/data/note.txt': note,
  'tasks/1-2/testbed/data/short.txt': 'short',
  'tasks/2-1/subtasks/3.json': subtask('mail Tom and write memo.docx', [
    item('contain', { doc_type: 'email', username: 'Tom', keywords: ['hello'] }),
    item('contain', { doc_type: 'docx', file: 'data/memo.docx', keywords: ['hello'] }),
  ]),
  'tasks/2-2/subtasks/0.json': subtask('write to everyone but Alice', [
    item('contain', { doc_type: 'email', username: 'Tom', keywords: ['secret'] }),
    item('not_contain', { doc_type: 'email', username: 'Alice', keywords: ['secret'] }),
  ]),
  'tasks/2-3/subtasks/0.json': subtask('swap', [
    item('exact_match', {
      doc_type: 'xlsx',
      result_file: 'data/a.xlsx',
      expected_file: '../../../../reference/b.xlsx',
    }),
  ]),
  'tasks/2-4/subtasks/0.json': subtask('set it in a.xlsx', [
    { function: 'evaluate_excel_cell_value', file: 'data/a.xlsx', args: { matches: [{ row: 1, col: 1, value: 'x' }] } },
  ]),
  'tasks/2-5/subtasks/0.json': subtask('write a.docx', [
    item('contain', { doc_type: 'xlsx', file: 'data/a.docx', keywords: ['x'] }),
  ]),
  'tasks/3-1/subtasks/0.json': subtask('write repotr.txt', [
    item('contain', { doc_type: 'txt', file: 'data/report.txt', keywords: ['x'] }),
  ]),
  'tasks/3-2/subtasks/0.json': subtask('remove the row', [
    item('diff_contain_text', {
      doc_type: 'xlsx',
      input_file: '../../../../cache/0/testbed/data/gone.xlsx',
      output_file: 'data/gone.xlsx',
      keywords: ['x'],
    }),
  ]),
  'tasks/3-3/subtasks/0.json': subtask('who is on the photo?', [answer('zebra')]),
  'tasks/3-3/testbed/data/photo.jpg': '\u00ff not a picture, but named as one',
  'tasks/notes/subtasks/0.json': 'not a task folder',
};

const expectedStatus = {
  '1-1/0': 'ok',
  '1-1/1': 'ok',
  '1-1/2': 'vacuous',
  '1-2/0': 'vacuous',
  '2-1/3': 'ok',
  '2-2/0': 'contradictory',
  '2-3/0': 'unsatisfiable',
  '2-4/0': 'unsatisfiable',
  '2-5/0': 'unsatisfiable',
  '3-1/0': 'contradictory',
  '3-2/0': 'inputs-missing',
  '3-3/0': 'ok',
};

/** Path to mode and content of everything below a folder. */
function contents(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const { mode } = statSync(join(folder, path));
      const isFile = statSync(join(folder, path)).isFile();
      return [path, `${mode.toString(8)} ${isFile ? readFileSync(join(folder, path), 'base64') : ''}`];
    }),
  );
}

describe('an import', () => {
  const source = sourceFolder(files);
  const chosen = options(source);
  const { out } = chosen;
  let report: ImportReport;
  const found = (sourceId: string) => report.tasks.find((task) => task.sourceId === sourceId) ?? expect.unreachable();

  beforeAll(async () => {
    report = await importOfficeBench(chosen);
  });

  test('finds by replay and by names which tasks can be run', () => {
    expect(Object.fromEntries(report.tasks.map(({ sourceId, status }) => [sourceId, status]))).toEqual(expectedStatus);
    expect(report.totals).toMatchObject({ upstreamTasks: 10, tasks: 12, inputFiles: 3, inputFilesReused: 1 });
    expect(report.totals.quarantinedBy).toEqual({
      contradictory: 2,
      'existence-only': 1,
      'inputs-missing': 1,
      unsatisfiable: 3,
      vacuous: 2,
    });
  });

  test('lists what met every replay and puts everything else in quarantine, with a reason', () => {
    const listing = JSON.parse(readFileSync(join(out, 'tasks.json'), 'utf8')) as { tasks: string[] };
    expect(listing.tasks).toEqual(['officebench/1-1-0', 'officebench/2-1-3', 'officebench/3-3-0']);
    for (const { id, listed, reasons } of report.tasks) {
      const name = id.split('/')[1] ?? '';
      expect(existsSync(join(out, name, 'task.toml'))).toBe(listed);
      expect(existsSync(join(out, 'quarantine', name, 'task.toml'))).toBe(!listed);
      expect(reasons.length > 0).toBe(!listed);
    }
    expect(found('1-1/1').findings.map(({ kind }) => kind)).toContain('existence-only');
    expect(found('3-3/0')).toMatchObject({ needsVision: true });
  });

  test('a listed task earns 1 by its solution and 0 by everything else', () => {
    for (const { replays } of report.tasks.filter(({ listed }) => listed)) {
      const rewards = Object.fromEntries(Object.entries(replays).map(([name, { reward }]) => [name, reward]));
      expect(rewards).toEqual({ oracle: 1, empty: 0, unmodified: 0, corrupt: 0, careless: 0 });
    }
  });

  test('groups tasks by equal inputs', () => {
    expect(report.groups.map(({ id, upstreamTasks }) => [id, upstreamTasks])).toEqual([
      ['officebench-1-1', ['1-1', '1-2']],
    ]);
  });

  test('writes a task directory that the engine reads, with all three folders in place', () => {
    const task = readTaskDirectory(TaskId.parse('officebench/2-1-3'), join(out, '2-1-3'));
    expect(task.image).toMatchObject({ workdir: '/testbed' });
    expect(task.toml.metadata).toMatchObject({ modality: 'cross-office', leakage_group: 'officebench-2-1' });
    expect(readdirSync(join(out, '2-1-3', 'environment', 'testbed')).toSorted()).toEqual([
      'calendar',
      'data',
      'emails',
    ]);
    expect(parse(readFileSync(join(out, '2-1-3', 'task.toml'), 'utf8'))).toMatchObject({
      schema_version: '1.4',
      metadata: {
        source_id: '2-1/3',
        commit: '4434746ed44f03373031c89eb7677ffedd1ee6e4',
        licence: 'Apache-2.0',
        oracle: 'derived',
        simulated_policy: 'derived from evaluation keys',
        deliverables: ['data/memo.docx'],
      },
    });
  });

  test('keeps keys and canary out of everything that the agent sees', () => {
    const spec = OfficeBenchSpec.parse(JSON.parse(readFileSync(join(out, '1-1-0', 'tests', 'spec.json'), 'utf8')));
    const seen = [
      readFileSync(join(out, '1-1-0', 'instruction.md'), 'utf8'),
      ...Object.values(contents(join(out, '1-1-0', 'environment'))),
    ].join('\n');
    expect(seen).not.toMatch(/zebra|\b42\b/);
    expect(seen).not.toContain(spec.canary);
  });

  test('proposes no splits where tasks for one of the purposes are missing', () => {
    expect(report.tasks.filter(({ listed, modality }) => listed && modality !== 'cross-office').length).toBeLessThan(3);
    expect(existsSync(join(out, 'splits.yaml'))).toBe(false);
  });

  test('gives the same bytes again', async () => {
    const again = options(source);
    await importOfficeBench(again);
    expect(contents(again.out)).toEqual(contents(out));
  });

  test('leaves no partial folder behind', () => {
    expect(readdirSync(dirname(out))).toEqual(['officebench']);
  });

  test('refuses an output folder that holds something', async () => {
    await expect(importOfficeBench(chosen)).rejects.toMatchObject({ code: 'ANL-1208' });
  });
});

describe('a source that cannot be read is refused whole', () => {
  const good = { 'tasks/1-1/subtasks/0.json': subtask('x', [answer('y')]) };

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['no task in it', { 'tasks/readme.txt': 'x' }, 'ANL-1205', /OfficeBench/],
    ['a subtask that is no JSON', { 'tasks/1-1/subtasks/0.json': '{' }, 'ANL-1203', /0\.json.*not JSON/],
    [
      'an unknown function',
      { 'tasks/1-1/subtasks/0.json': subtask('x', [item('judge_by_model', {})]) },
      'ANL-1203',
      /0\.json/,
    ],
    [
      'an output outside the testbed',
      { 'tasks/1-1/subtasks/0.json': subtask('x', [exists('../../etc/passwd')]) },
      'ANL-1203',
      /plain relative path/,
    ],
    [
      'a user that is a path',
      { 'tasks/1-1/subtasks/0.json': subtask('x', [answer('y')], { username: '../..' }) },
      'ANL-1203',
      /username/,
    ],
    [
      'an input with a hostile name',
      { ...good, 'tasks/1-1/testbed/data/a\\..\\b': 'x' },
      'ANL-1203',
      /plain relative path/,
    ],
    [
      'an input name with a line break',
      { ...good, 'tasks/1-1/testbed/data/a\nRUN x': 'x' },
      'ANL-1203',
      /plain relative path/,
    ],
  ])('%s', async (_, given, code, why) => {
    const chosen = options(sourceFolder(given));
    const error = await importOfficeBench(chosen).then(() => null, refusalOf);
    expect(error?.code).toBe(code);
    expect(`${error?.at[0]?.file} ${error?.message} ${error?.why}`).toMatch(why);
    expect(existsSync(chosen.out)).toBe(false);
    expect(readdirSync(dirname(chosen.out))).toEqual([]);
  });

  test('an input that is a link', async () => {
    const source = sourceFolder(good);
    mkdirSync(join(source, 'tasks/1-1/testbed/data'), { recursive: true });
    symlinkSync('/etc/passwd', join(source, 'tasks/1-1/testbed/data/passwd'));
    await expect(importOfficeBench(options(source))).rejects.toMatchObject({ code: 'ANL-1203' });
  });

  test('a judge that breaks down is told, and nothing is written', async () => {
    const chosen = { ...options(sourceFolder(good)), python: '/bin/false' };
    await expect(importOfficeBench(chosen)).rejects.toMatchObject({ code: 'ANL-1204' });
    expect(readdirSync(dirname(chosen.out))).toEqual([]);
  });
});

test('the revision comes from the checkout, or from the caller', async () => {
  const commit = 'a'.repeat(40);
  const source = sourceFolder({
    'tasks/1-1/subtasks/0.json': subtask('x', [answer('zebra')]),
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/refs/heads/main': `${commit}\n`,
  });
  expect((await importOfficeBench(options(source))).source).toMatchObject({
    revision: commit,
    revisionFrom: 'checkout',
  });
  writeFileSync(join(source, '.git/HEAD'), `${'b'.repeat(40)}\n`);
  const given = await importOfficeBench({ ...options(source), revision: 'c'.repeat(40) });
  expect(given.source).toMatchObject({ revision: 'c'.repeat(40), revisionFrom: 'given' });
});

function refusalOf(error: unknown): ErrorDocument {
  if (!isAnnealError(error)) throw error;
  return error;
}
