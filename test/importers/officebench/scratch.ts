import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'anneal-importers-'));

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** A new folder that goes when the test file is done. */
export function scratch(name: string): string {
  return mkdtempSync(join(root, `${name}-`));
}
