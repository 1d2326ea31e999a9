import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { JudgeReport } from '../../src/schema/judgement.ts';
import { judgesFolder, solverPython } from '../support/solver-python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A fresh case: `tests/judge.py` with the given source, and the files of the working directory. */
export async function makeCase(judge: string, files: Record<string, string | Buffer> = {}): Promise<JudgedCase> {
  const root = temporaryFolder('judge');
  const judged = { root, tests: join(root, 'tests'), workdir: join(root, 'app'), verdict: join(root, 'verdict') };
  await Promise.all([judged.tests, judged.workdir, judged.verdict].map((folder) => mkdir(folder)));
  await writeFile(join(judged.tests, 'judge.py'), judge);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(judged.workdir, name)), { recursive: true });
    await writeFile(join(judged.workdir, name), content);
  }
  return judged;
}

/** Judge a case in a process of its own, as a jail would; `report` is null where no verdict was written. */
export async function runJudge(judged: JudgedCase): Promise<JudgeRun> {
  const parameters = ['--workdir', judged.workdir, '--verdict', judged.verdict];
  const command = ['-I', join(judgesFolder, 'run.py'), judged.tests, ...parameters];
  const done = await execa(solverPython, command, { cwd: judged.workdir, reject: false, timeout: 30_000 });
  const read = (name: string): Promise<string | null> => readFile(join(judged.verdict, name), 'utf8').catch(() => null);
  const text = await read('judge.json');
  return {
    exitCode: done.exitCode ?? -1,
    errors: done.stderr,
    reward: await read('reward.txt'),
    report: text === null ? null : JudgeReport.parse(JSON.parse(text)),
  };
}

interface JudgedCase {
  root: string;
  tests: string;
  workdir: string;
  verdict: string;
}

interface JudgeRun {
  exitCode: number;
  errors: string;
  reward: string | null;
  report: JudgeReport | null;
}
