import { execa } from 'execa';
import { solverPython } from '../support/solver-python.ts';

/** Standard output of a Python script; throws with its standard error where it fails. */
export async function runPython(script: string, parameters: string[], input = ''): Promise<string> {
  const done = await execa(solverPython, ['-B', script, ...parameters], { input });
  return done.stdout;
}
