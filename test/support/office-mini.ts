import { join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from '../../src/services/package-root.ts';
import { solverPython } from './solver-python.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Build the pack into a fresh temporary folder; throws where an input is not the recorded one. */
export async function buildOfficeMini(): Promise<string> {
  const folder = temporaryFolder('office-mini');
  await execa(solverPython, ['-B', join(packageRoot, 'tasks', 'office-mini', 'build.py'), folder]);
  return folder;
}
