import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from '../../src/services/package-root.ts';
import { solverPython } from './solver-python.ts';

/** Build the pack into a fresh temporary folder; throws where an input is not the recorded one. */
export async function buildOfficeMini(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'office-mini-'));
  await execa(solverPython, ['-B', join(packageRoot, 'tasks', 'office-mini', 'build.py'), folder]);
  return folder;
}
