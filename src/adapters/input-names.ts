import { join } from 'node:path';
import { listTree } from './tree-digest.ts';

/** Paths of a task's inputs as an attempt sees them: what its environment folder holds, without that folder's first level. */
export function inputNames(taskDirectory: string): string[] {
  return listTree(join(taskDirectory, 'environment'))
    .filter((name) => name !== 'Dockerfile')
    .map((name) => name.split('/').slice(1).join('/') || name);
}
