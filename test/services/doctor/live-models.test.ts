import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataHome, dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import { liveModels } from '../../../src/services/doctor/live-models.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-live-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(dataHomeAt(join(folder, 'home')).staging, { recursive: true, force: true });
});

test.each([
  ['/nonexistent', 'ANL-1004'],
  ['./nonexistent', 'ANL-1004'],
  ['nonexistent.yaml', 'ANL-1004'],
  ['nonexistent.yml', 'ANL-1004'],
  ['nonexistent', 'ANL-1008'],
  ['exp_00000000', 'ANL-1008'],
])('models of %s, which is not here, are refused as %s: what looks like a file is one', async (wanted, code) => {
  const home = dataHomeAt(join(folder, 'home'));
  createDataHome(home);
  await expect(async () => liveModels(wanted, folder, home, {})).rejects.toMatchObject({ code, exit: 2 });
});

test('a folder in place of the file is said to be one', async () => {
  await expect(async () => liveModels('/tmp', folder, dataHomeAt(join(folder, 'home')), {})).rejects.toMatchObject({
    code: 'ANL-1017',
    exit: 2,
  });
});
