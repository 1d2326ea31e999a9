import { mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { treeDigest } from '../../../src/adapters/tree-digest.ts';
import { createDataHome, dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../../src/services/package-root.ts';
import { ensureOfficeMini } from '../../../src/services/task-packs/task-pack.ts';

test('experiments that are frozen at once in a new data home share one build of the pack', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anneal-pack-')));
  symlinkSync(join(packageRoot, '.anneal-test', 'python'), join(root, 'python'));
  const home = dataHomeAt(root);
  createDataHome(home);
  const [one, ...others] = await Promise.all([1, 2, 3].map(() => ensureOfficeMini(home)));
  expect(others).toEqual([one, one]);
  expect(readdirSync(home.packs).map((name) => join(home.packs, name))).toEqual([one]);
  const shared = await ensureOfficeMini(dataHomeAt(join(packageRoot, '.anneal-test')));
  expect(treeDigest(one ?? '')).toBe(treeDigest(shared));
  rmSync(root, { recursive: true, force: true });
});
