import { execa } from 'execa';
import { solverPython } from '../support/solver-python.ts';

/** What a Python process said, its exit code included: no run throws. */
export async function runPython(script: string, parameters: string[], input = ''): Promise<PythonRun> {
  const done = await execa(solverPython, ['-B', script, ...parameters], { input, reject: false });
  return { exitCode: done.exitCode ?? -1, output: done.stdout, errors: done.stderr };
}

interface PythonRun {
  exitCode: number;
  output: string;
  errors: string;
}
