import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

let root: string | null = null;

afterAll(() => {
  if (root !== null) rmSync(root, { recursive: true, force: true });
  root = null;
});

/** A new folder that goes when the test file is done. For files that have a process of their own. */
export function temporaryFolder(name: string): string {
  root ??= mkdtempSync(join(tmpdir(), 'files-'));
  return mkdtempSync(join(root, `${name}-`));
}
