import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { importOfficeBench } from '../../src/importers/officebench.ts';
import { proposeSplits, proposedSizes } from '../../src/importers/officebench/propose-splits.ts';
import type { ImportReport } from '../../src/schema/import-report.ts';
import { Splits } from '../../src/schema/splits.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { sharedData } from '../support/shared-data.ts';
import { solverPython } from '../support/solver-python.ts';
import { runJudge } from './officebench/judge-fixture.ts';
import { options } from './officebench/source-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const source = sharedData('officebench');

/** What is known of single tasks; other ids of each kind exist. */
const known: [string, string][] = [
  ...['3-30/0', '3-32/0', '3-8/0', '3-82/0', '1-14/2'].map((id): [string, string] => [id, 'unsatisfiable']),
  ...['2-26/3', '1-15/0', '3-18/0', '2-2/0', '2-2/1', '1-3/4', '1-6/3'].map((id): [string, string] => [
    id,
    'contradictory',
  ]),
  ...['1-3/3', '1-2/1', '1-11/3', '2-16/0'].map((id): [string, string] => [id, 'vacuous']),
];
const existenceOnly = ['1-3/0', '2-18/0', '2-19/0', '2-22/0', '3-22/0', '3-63/0'];
const seen = ['2-6/0', '3-22/0', '3-77/0', '2-36/0', '3-19/0', '3-20/0', '3-69/0'];
const oneGroup = ['1-5', '1-6', '1-9', '1-10', '1-14', '2-18', '2-22', '3-56', '3-58', '3-63', '3-82'];

describe.skipIf(source === null)('the real tasks', () => {
  const chosen = options(source ?? '');
  let report: ImportReport;
  const found = (sourceId: string) =>
    report.tasks.find((task) => task.sourceId === sourceId) ?? expect.unreachable(sourceId);

  beforeAll(async () => {
    report = await importOfficeBench(chosen);
  });

  test.each(known)('%s is %s', (sourceId, status) => {
    expect(found(sourceId).status).toBe(status);
    expect(found(sourceId).listed).toBe(false);
  });

  test.each(existenceOnly)('%s looks at existence only, so rubbish passes and it is not listed', (sourceId) => {
    expect(found(sourceId).findings.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['existence-only', 'corrupt-passes']),
    );
    expect(found(sourceId).listed).toBe(false);
  });

  test.each(seen)('%s needs vision', (sourceId) => {
    expect(found(sourceId).needsVision).toBe(true);
  });

  test('weak keys are told', () => {
    expect(found('1-12/0').findings.map(({ kind }) => kind)).toContain('weak-keywords');
  });

  test('tasks that share score, class or shopping workbooks are one group', () => {
    const group = report.groups.find(({ upstreamTasks }) => upstreamTasks.includes('1-5'));
    expect(group?.upstreamTasks).toEqual(expect.arrayContaining(oneGroup));
  });

  test('at least 30 tasks are listed, of three modalities', () => {
    const { listed, listedByModality } = report.totals;
    expect(listed).toBeGreaterThanOrEqual(30);
    expect(Object.keys(listedByModality).toSorted()).toEqual(['cross-office', 'document', 'spreadsheet']);
    expect(report.tasks.filter((task) => task.listed && task.replays.careless.reward !== 0)).toEqual([]);
  });

  test('the splits that ship are the proposed ones', () => {
    expect(Splits.parse(parse(readFileSync(join(chosen.out, 'splits.yaml'), 'utf8')))).toEqual(
      proposeSplits(report.tasks, proposedSizes, 1),
    );
    const shipped = Splits.parse(parse(readFileSync(join(packageRoot, 'splits', 'officebench.yaml'), 'utf8')));
    expect(shipped).toEqual(proposeSplits(report.tasks, proposedSizes, 1));
  });

  test('the judge answers as upstream would on outputs with known faults', async () => {
    const rows: [string, string, string][] = [
      ['1-12-0', 'text("data/answer.txt", "29 students and 0 seniors")', '1.0'],
      ['2-20-0', 'do_document("data/students.docx", ["S1006, Pom Vufuh"])', '1.0'],
      ['1-9-2', 'do_workbook("data/salary.xlsx", cells=[[5, 1, "Total"], [5, 2, "=SUM(B2:B4)"]])', '0.0'],
      ['1-9-2', 'do_workbook("data/salary.xlsx", cells=[[5, 1, "Total"], [5, 2, 4000001]])', '1.0'],
      ['1-9-2', 'do_workbook("data/salary.xlsx", cells=[[5, 1, "Total"], [5, 2, 400000]])', '1.0'],
    ];
    for (const [name, outputs, reward] of rows) {
      const workdir = copyOf(join(chosen.out, name, 'environment', 'testbed'));
      execFileSync(solverPython, ['-I', '-'], { input: scripted(outputs), cwd: workdir });
      expect(await runJudge(join(chosen.out, name, 'tests'), workdir)).toMatchObject({ kind: 'verdict', reward });
    }
  });

  test.each([
    ['solve.py', '1.0'],
    ['careless.py', '0.0'],
  ])('%s of a task earns %s by the program that the judge jail runs', async (script, reward) => {
    for (const name of ['1-11-0', '1-2-0', '1-7-3', '2-43-0', '3-24-0', '3-4-0']) {
      const folder = join(chosen.out, name);
      const workdir = copyOf(join(folder, 'environment', 'testbed'));
      execFileSync(solverPython, ['-I', join(folder, 'solution', script)], { cwd: workdir });
      const judged = await runJudge(join(folder, 'tests'), workdir);
      expect({ name, judged }).toMatchObject({ name, judged: { kind: 'verdict', reward } });
    }
  });
});

function copyOf(folder: string): string {
  const copy = temporaryFolder('testbed');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function scripted(outputs: string): string {
  const judges = JSON.stringify(join(packageRoot, 'judges'));
  return `
import os, sys
sys.path.insert(0, ${judges})
from anneal_judges.officebench_oracle import *
def text(path, content):
    open(path, "w").write(content)
${outputs}
`;
}
