import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildOfficeMini } from '../support/office-mini.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runJudge } from './run-judge.ts';
import { runPython } from './run-python.ts';

const answers = [
  { title: 'texts set anew in one run', task: 'p1', name: 'p1_new_runs' },
  { title: 'a header row that its style makes bold, grouped numbers', task: 'p2', name: 'p2_bold_by_style' },
  { title: 'changes accepted by hand, runs merged', task: 'd1', name: 'd1_by_hand' },
  { title: 'a simple field in a content control', task: 'd2', name: 'd2_simple_field' },
  { title: 'grouped amounts and a currency', task: 'd4', name: 'd4_formatted_amounts' },
  { title: 'another formula over the same cells', task: 'x1', name: 'x1_sum_in_parts' },
  { title: 'the name deleted and defined anew', task: 'x2', name: 'x2_name_again' },
  { title: 'months as dates, amounts as text', task: 'x3', name: 'x3_real_dates' },
  { title: 'a copy built cell by cell', task: 'x4', name: 'x4_built_anew' },
  { title: 'whole-column sums, values with signs', task: 'c1', name: 'c1_sumproduct' },
  { title: 'events in UTC, dates as dates, another choice of dishes', task: 'c2', name: 'c2_utc_and_dates' },
];

let pack = '';
let trees = '';

beforeAll(async () => {
  pack = await buildOfficeMini();
  trees = temporaryFolder('answers');
  for (const { task, name } of answers)
    await cp(join(pack, task, 'environment', 'inputs'), join(trees, name), { recursive: true });
  await runPython(join(import.meta.dirname, 'right_answers.py'), [trees]);
});

describe('a right answer that is not the reference earns 1', () => {
  it.each(answers)('$task: $title', async ({ task, name }) => {
    const root = temporaryFolder('answer');
    const judged = {
      root,
      tests: join(pack, task, 'tests'),
      workdir: join(trees, name),
      verdict: join(root, 'verdict'),
    };
    const run = await runJudge(judged);
    expect(run).toMatchObject({ exitCode: 0 });
    const short = run.report?.criteria.filter((c) => c.status !== 'pass').map((c) => [c.id, c.status, c.observed]);
    expect(short).toEqual([]);
    expect(run.report).toMatchObject({ reward: 1, delivered: true });
  });
});
