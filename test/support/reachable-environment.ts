import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { environmentDirectory } from '../../src/services/python/python-environments.ts';
import type { JailLevel } from './jail-level.ts';

/** A Python environment of the tests; copied into `root` where the level's account could not pass through to it. */
export function reachableEnvironment(root: string, { account }: JailLevel, name: 'solver' | 'runner'): string {
  const directory = environmentDirectory(dataHomeAt(join(packageRoot, '.anneal-test')), name);
  const seen = spawnSync('test', ['-r', join(directory, 'pyvenv.cfg')], { ...account, cwd: '/' });
  if (seen.status === 0) return directory;
  const copy = join(root, name);
  if (!existsSync(copy)) cpSync(directory, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}
