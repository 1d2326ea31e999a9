import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeCase, runJudge } from './run-judge.ts';

interface Row {
  title: string;
  criteria: string[];
  reward: number;
  statuses: string[];
  semantic: number | null;
  preservation: number | null;
  strict: boolean;
  options?: string;
}

/** A criterion in the judge's own words: id, kind, weight, and the body of its check. */
function criterion(id: string, kind: string, weight: number, body: string, more = ''): string {
  const place = `kind="${kind}", weight=${weight}, category="facts"${more}`;
  return `@judge.criterion("${id}", "text", ${place})\ndef check_${id}(case):\n    ${body}\n`;
}

function judgeOf(criteria: string[], options = ''): string {
  const imports = 'from anneal_judges import Finding, TaskJudge, Unresolved, holds, share';
  return `${imports}\njudge = TaskJudge(["output/a.json"]${options})\n${criteria.join('\n')}`;
}

const yes = 'return holds(True, "seen")';
const no = 'return holds(False, "seen")';

const rows: Row[] = [
  {
    title: 'all met earns 1 and is strict',
    criteria: [criterion('a', 'semantic', 0.8, yes), criterion('b', 'preservation', 0.2, yes)],
    reward: 1,
    statuses: ['pass', 'pass'],
    semantic: 100,
    preservation: 100,
    strict: true,
  },
  {
    title: 'weights of what is met add up, a partial one by its share',
    criteria: [
      criterion('a', 'semantic', 0.5, 'return share(2, 4, "half")'),
      criterion('b', 'semantic', 0.3, no),
      criterion('c', 'preservation', 0.2, yes),
    ],
    reward: 0.45,
    statuses: ['partial', 'fail', 'pass'],
    semantic: 31.25,
    preservation: 100,
    strict: false,
  },
  {
    title: 'a check that raises is unknown and earns nothing, never a half',
    criteria: [criterion('a', 'semantic', 0.6, 'raise KeyError("x")'), criterion('b', 'semantic', 0.4, yes)],
    reward: 0.4,
    statuses: ['unknown', 'pass'],
    semantic: 40,
    preservation: null,
    strict: false,
  },
  {
    title: 'what needs a criterion that does not hold is unknown, not failed',
    criteria: [criterion('a', 'semantic', 0.6, no), criterion('b', 'semantic', 0.4, yes, ', needs=["a"]')],
    reward: 0,
    statuses: ['fail', 'unknown'],
    semantic: 0,
    preservation: null,
    strict: false,
  },
  {
    title: 'a criterion that is not required does not stand against strict',
    criteria: [criterion('a', 'semantic', 0.9, yes), criterion('b', 'semantic', 0.1, no, ', required=False')],
    reward: 0.9,
    statuses: ['pass', 'fail'],
    semantic: 90,
    preservation: null,
    strict: true,
  },
  {
    title: 'a penalty that is hit is subtracted, below zero where nothing clamps',
    criteria: [criterion('a', 'semantic', 1, no), criterion('p', 'semantic', -0.4, yes)],
    reward: -0.4,
    statuses: ['fail', 'fail'],
    semantic: 0,
    preservation: null,
    strict: false,
  },
  {
    title: 'a penalty that is hit in part is subtracted in part',
    criteria: [criterion('a', 'semantic', 1, yes), criterion('p', 'semantic', -0.4, 'return share(1, 2, "x")')],
    reward: 0.8,
    statuses: ['pass', 'partial'],
    semantic: 100,
    preservation: null,
    strict: false,
  },
  {
    title: 'a penalty that is not hit costs nothing and does not stand against strict',
    criteria: [criterion('a', 'semantic', 1, yes), criterion('p', 'semantic', -0.4, no)],
    reward: 1,
    statuses: ['pass', 'pass'],
    semantic: 100,
    preservation: null,
    strict: true,
  },
  {
    title: 'clamp zero lifts a negative reward to 0',
    criteria: [criterion('a', 'semantic', 1, no), criterion('p', 'semantic', -0.4, yes)],
    options: ', clamp="zero"',
    reward: 0,
    statuses: ['fail', 'fail'],
    semantic: 0,
    preservation: null,
    strict: false,
  },
];

describe('the criteria core', () => {
  it.each(rows)('$title', async (row) => {
    const judged = await makeCase(judgeOf(row.criteria, row.options), { 'output/a.json': '{}' });
    const run = await runJudge(judged);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.report?.reward).toBe(row.reward);
    expect(Number(run.reward)).toBe(row.reward);
    expect(run.report?.criteria.map((c) => c.status)).toEqual(row.statuses);
    expect(run.report?.vector).toEqual({
      semantic: row.semantic,
      preservation: row.preservation,
      interaction: null,
      strict: row.strict,
    });
  });

  it('keeps the unclamped reward beside the clamped one', async () => {
    const criteria = [criterion('a', 'semantic', 1, no), criterion('p', 'semantic', -0.4, yes)];
    const run = await runJudge(await makeCase(judgeOf(criteria, ', clamp="zero"'), { 'output/a.json': '{}' }));
    expect(run.report).toMatchObject({ reward: 0, rewardDeterministic: -0.4 });
  });
});

describe('the delivery hurdle', () => {
  const hurdle = [
    { title: 'a missing file', files: {}, fault: 'missing' },
    { title: 'an empty file', files: { 'output/a.json': ' \n' }, fault: 'empty' },
    { title: 'an unreadable file', files: { 'output/a.json': '{' }, fault: 'unreadable' },
  ];
  it.each(hurdle)('$title earns exactly 0 before preservation and penalties count', async ({ files, fault }) => {
    const criteria = [
      criterion('a', 'semantic', 0.5, yes),
      criterion('b', 'preservation', 0.5, yes),
      criterion('p', 'semantic', -0.4, yes),
    ];
    const run = await runJudge(await makeCase(judgeOf(criteria), files));
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.reward?.trim()).toBe('0.0');
    expect(run.report).toMatchObject({
      delivered: false,
      reward: 0,
      deliveryFaults: [{ file: 'output/a.json', fault }],
    });
    expect(run.report?.criteria.map((c) => [c.status, c.earned])).toEqual(criteria.map(() => ['skipped', 0]));
    expect(run.report?.vector).toMatchObject({ semantic: 0, preservation: 0, strict: false });
  });
});

describe('a defect of the judge itself', () => {
  const whole = criterion('a', 'semantic', 1, yes);
  const defects = [
    { title: 'a judge that does not load', judge: 'raise RuntimeError("broken")' },
    { title: 'no judge at all', judge: 'x = 1' },
    { title: 'weights that do not sum to 1', judge: judgeOf([criterion('a', 'semantic', 0.5, yes)]) },
    { title: 'two criteria of one id', judge: judgeOf([whole, whole]) },
    { title: 'an unknown kind', judge: judgeOf([criterion('a', 'taste', 1, yes)]) },
    {
      title: 'pristine data that are gone',
      judge: judgeOf([criterion('a', 'semantic', 1, 'case.pristine.bytes("x")')]),
    },
    {
      title: 'a library that is not installed',
      judge: judgeOf([criterion('a', 'semantic', 1, 'import no_such_library')]),
    },
    { title: 'a visual score that nobody gave', judge: judgeOf([whole], ', declares_visual=True') },
  ];
  it.each(defects)('$title gives no verdict and another exit code, not a reward of 0', async ({ judge }) => {
    const judged = await makeCase(judge, { 'output/a.json': '{}' });
    await writeFile(join(judged.verdict, 'reward.txt'), '1.0\n');
    const run = await runJudge(judged);
    expect(run.exitCode).toBe(3);
    expect(run.errors).not.toBe('');
    expect([run.reward, run.report]).toEqual([null, null]);
  });
});

describe('what a judge shows', () => {
  it('is cut to 300 characters of one printable line', async () => {
    const body = 'return holds(False, "\\x1b]52;c;AAAA\\x07 a\\u202eb\\n" + "x" * 5000, "y" * 5000)';
    const run = await runJudge(
      await makeCase(judgeOf([criterion('a', 'semantic', 1, body)]), { 'output/a.json': '{}' }),
    );
    const observed = run.report?.criteria[0]?.observed ?? '';
    expect(observed).toHaveLength(300);
    expect(observed).toMatch(/^[\x20-\x7e…]+$/);
  });

  it('keeps the expected value apart from what was observed', async () => {
    const body = 'return holds(False, "7 rows", "nine")';
    const run = await runJudge(
      await makeCase(judgeOf([criterion('a', 'semantic', 1, body)]), { 'output/a.json': '{}' }),
    );
    expect(run.report?.criteria[0]).toMatchObject({ observed: '7 rows', expected: 'nine' });
  });
});
