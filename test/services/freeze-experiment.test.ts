import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isAnnealError, type SourcePosition } from '../../src/domain/errors.ts';
import { freezeExperiment } from '../../src/services/freeze-experiment.ts';
import { storeExperiment } from '../../src/services/store-experiment.ts';
import { type ExperimentFolder, layOut } from '../support/experiment-files.ts';
import { refusedExperiments } from './refused-experiments.ts';

const folders: ExperimentFolder[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

describe('an experiment that does not hold is refused before anything starts', () => {
  test.each(refusedExperiments.map((row) => [`${row.title}: ${row.code}`, row] as const))('%s', async (_, row) => {
    const folder = layOut(row.files);
    folders.push(folder);
    const refusal = await refusalOf(folder);
    expect({ code: refusal.code, at: placeOf(folder, refusal.at[0]) }).toEqual({ code: row.code, at: row.at });
    expect(refusal).toMatchObject({ exit: 2, retryable: false, notSpent: 'nothing was started, 0 tokens spent' });
    expect(existsSync(folder.home.root)).toBe(false);
  });
});

async function refusalOf(folder: ExperimentFolder) {
  try {
    const frozen = await freezeExperiment(folder.file, folder.home, { EMPTY: '' }, () => {});
    await storeExperiment(folder.home, frozen, async () => false, false);
  } catch (error) {
    if (isAnnealError(error)) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

function placeOf({ root }: ExperimentFolder, position: SourcePosition | undefined): string {
  if (position === undefined) return '';
  const { file, line, column } = position;
  return [relative(root, file), line, column].filter((part) => part !== undefined).join(':');
}
