import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeUnitOrder } from '../domain/code-unit-order.ts';
import type { Sha256 } from '../schema/ids.ts';

/** Names that never count: caches that a run may leave behind. */
const ignored = new Set(['__pycache__', '.mypy_cache', '.pytest_cache', '.ruff_cache', '.DS_Store']);

/** Relative paths of all regular files below a directory, in code-unit order. */
export function listTree(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => !path.split('/').some((part) => ignored.has(part)))
    .toSorted(codeUnitOrder);
}

/** SHA-256 over paths, lengths and bytes of every file below a directory; file modes and times do not count. */
export function treeDigest(directory: string): Sha256 {
  return filesDigest(listTree(directory).map((path) => [path, readFileSync(join(directory, path))]));
}

/** Changes with whatever is done to a file below a directory, and is cheaper than reading it; empty where there is none. */
export function treeStamp(directory: string): string {
  if (!existsSync(directory)) return '';
  const stamps = listTree(directory).map((path) => {
    const { ino, size, mtimeMs, ctimeMs } = statSync(join(directory, path));
    return `${path}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  });
  return stamps.join('\n');
}

/** SHA-256 over named bytes: each as `path NUL length NUL bytes`. */
export function filesDigest(files: readonly (readonly [string, Uint8Array])[]): Sha256 {
  const hash = createHash('sha256');
  for (const [path, bytes] of files) {
    hash.update(`${path}\0${bytes.byteLength}\0`);
    hash.update(bytes);
  }
  return hash.digest('hex') as Sha256;
}
