import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../support/shared-data.ts';
import { judgesFolder } from '../support/solver-python.ts';
import { runPython } from './run-python.ts';

interface Read {
  failures: string[];
  files: number;
  agree: number;
  differ: number;
  unsupported: number;
}

async function readAll(folder: string, pattern: string): Promise<Read> {
  return JSON.parse(
    await runPython(join(import.meta.dirname, 'read_foreign.py'), [judgesFolder, folder, pattern]),
  ) as Read;
}

const artifacts = sharedData('office-artifacts');
const spreadsheets = sharedData('spreadsheetbench-v1');

describe('files made elsewhere', () => {
  it.skipIf(artifacts === null)('every office artefact opens with every reader', async () => {
    const read = await readAll(artifacts ?? '', '*');
    expect(read.failures).toEqual([]);
    expect(read.files).toBeGreaterThan(0);
  });

  it.skipIf(spreadsheets === null)(
    'computed cells agree with the results that spreadsheets carry',
    { timeout: 180_000 },
    async () => {
      const read = await readAll(spreadsheets ?? '', '1_*');
      expect(read.failures).toEqual([]);
      expect(read.agree).toBeGreaterThan(0);
      // The rest are month names in another language and functions of somebody's own.
      expect(read.differ + read.unsupported).toBeLessThanOrEqual(0.04 * read.agree);
    },
  );
});
