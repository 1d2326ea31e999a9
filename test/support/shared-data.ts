import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/services/package-root.ts';

/**
 * Folder of one data set of upstream task files, `../shared/data/<name>` beside the clone, or null. Its absence is told on
 * standard error, so that a run without it cannot pass for one with it.
 */
export function sharedData(name: string): string | null {
  const folder = join(packageRoot, '..', 'shared', 'data', name);
  if (existsSync(folder)) return folder;
  process.stderr.write(`\n!!! SKIPPED: ${folder} is absent, so nothing is tested against real ${name} tasks\n\n`);
  return null;
}
