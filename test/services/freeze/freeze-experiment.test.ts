import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isAnnealError, type SourcePosition } from '../../../src/domain/errors.ts';
import { freezeExperiment } from '../../../src/services/freeze/freeze-experiment.ts';
import { storeExperiment } from '../../../src/services/freeze/store-experiment.ts';
import { type ExperimentFolder, layOut, replaced, validExperiment } from '../../support/experiment-files.ts';
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

describe('a task that stands twice', () => {
  test.each([
    ['- desk/d1', '- desk/p1', 'task desk/p1 is listed twice in feedback'],
    ['- desk/x1', '- desk/d1', 'task desk/d1 is in two splits, feedback and selection'],
  ])('is told as it stands: %s for %s', async (what, by, message) => {
    const folder = layOut(replaced(validExperiment, 'splits.yaml', what, by));
    folders.push(folder);
    expect(await refusalOf(folder)).toMatchObject({ message, next: expect.stringMatching(/^keep desk\/\w+ once$/) });
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
