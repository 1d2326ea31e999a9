import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JudgeReport } from '../../../src/schema/judgement.ts';
import type { OfficeBenchSpec, SpecItem } from '../../../src/schema/officebench.ts';
import { judgesFolder, solverPython } from '../../support/solver-python.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Names that a row's script may use beside Python's own; `tests` is the sealed folder. */
const prelude = `
import datetime, os, sys
sys.path.insert(0, ${JSON.stringify(judgesFolder)})
from anneal_judges.officebench_oracle import *
def book(path, rows):
    do_new_workbook(path, rows)
def text(path, content, encoding="utf-8"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.encode(encoding))
def calendar(name, *events):
    head, tail = "BEGIN:VCALENDAR\\nVERSION:2.0\\nPRODID:x\\n", "END:VCALENDAR\\n"
    text(f"calendar/{name}.ics", head + "".join(f"BEGIN:VEVENT\\n{event}\\nEND:VEVENT\\n" for event in events) + tail)
`;

export interface Row {
  readonly rule: string;
  /** Python, run in an empty working directory with `data/`, `emails/`, `calendar/`. */
  readonly outputs: string;
  readonly item: SpecItem;
}

export interface RowResult {
  readonly passed: boolean;
  readonly decided: boolean;
  readonly observed: string;
  readonly defect: string | null;
}

/** A folder of tests with these items in its spec. */
export function testsFolder(items: SpecItem[]): string {
  const folder = temporaryFolder('officebench');
  mkdirSync(join(folder, 'pristine'));
  mkdirSync(join(folder, 'expected'));
  const spec: OfficeBenchSpec = { version: 1, mode: 'faithful', sourceId: '0-0/0', canary: 'none', items };
  writeFileSync(join(folder, 'spec.json'), JSON.stringify(spec));
  return folder;
}

/** Judges each row's only item, all in one Python process. */
export function judgeRows(rows: readonly Row[]): RowResult[] {
  const tasks = rows.map(({ outputs, item }, index) => {
    const tests = testsFolder([item]);
    const oracle = `${prelude}\ntests = ${JSON.stringify(tests)}\n${outputs}\n`;
    return { id: String(index), tests, oracle, alternatives: {}, careless: [] };
  });
  const answer = JSON.parse(
    execFileSync(solverPython, ['-I', join(judgesFolder, 'officebench_replay.py')], {
      input: JSON.stringify({ inputs: [], workbooks: [], tasks }),
      encoding: 'utf8',
    }),
  ) as { tasks: { replays: { oracle: { items: Omit<RowResult, 'defect'>[]; defect: string | null } } }[] };
  return answer.tasks.map(({ replays: { oracle } }) => ({
    passed: oracle.items[0]?.passed ?? false,
    decided: oracle.items[0]?.decided ?? false,
    observed: oracle.items[0]?.observed ?? '',
    defect: oracle.defect,
  }));
}

/** Runs Python in a new working directory. */
export function workingDirectory(outputs: string): string {
  const folder = temporaryFolder('testbed');
  for (const name of ['data', 'emails', 'calendar']) mkdirSync(join(folder, name));
  execFileSync(solverPython, ['-I', '-'], { input: prelude + outputs, cwd: folder });
  return folder;
}

export type Judged =
  | { kind: 'verdict'; reward: string; report: JudgeReport }
  | { kind: 'none'; code: number; why: string };

/** Runs the judge as the judge jail does. */
export async function runJudge(tests: string, workdir: string): Promise<Judged> {
  const verdict = temporaryFolder('verdict');
  const program = join(judgesFolder, 'officebench.py');
  const { code, stderr } = await new Promise<{ code: number; stderr: string }>((resolve) => {
    execFile(
      solverPython,
      ['-I', program, tests, '--workdir', workdir, '--verdict', verdict],
      { cwd: tmpdir(), encoding: 'utf8' },
      (error, _, written) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr: written }),
    );
  });
  if (code !== 0) return { kind: 'none', code, why: stderr };
  return {
    kind: 'verdict',
    reward: readFileSync(join(verdict, 'reward.txt'), 'utf8').trim(),
    report: JudgeReport.parse(JSON.parse(readFileSync(join(verdict, 'judge.json'), 'utf8'))),
  };
}
