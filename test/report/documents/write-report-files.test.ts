import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeReportFiles } from '../../../src/report/documents/write-report-files.ts';
import { Report } from '../../../src/schema/report.ts';
import { demoStory } from '../../support/demo-story.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-report-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('report files', () => {
  it.each([
    [
      'of a simulated run carry its world in their names',
      {},
      ['attempts.simulated-no-transfer.csv', 'report.simulated-no-transfer.json', 'summary.simulated-no-transfer.md'],
    ],
    ['of a real run have plain names', { real: true }, ['attempts.csv', 'report.json', 'summary.md']],
  ])('%s', async (_, changes, names) => {
    const { story } = demoStory(changes);
    await writeReportFiles(story.lock, story.records, folder);
    expect(readdirSync(folder).toSorted()).toEqual(names);
  });

  it('have the same bytes when they are written again', async () => {
    const { story } = demoStory({ real: true });
    const write = async (): Promise<string[]> => {
      await writeReportFiles(story.lock, story.records, folder);
      return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    };
    expect(await write()).toEqual(await write());
  });

  it('hold the report as data', async () => {
    const { story } = demoStory({ real: true });
    await writeReportFiles(story.lock, story.records, folder);
    const report = Report.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')));
    expect(report).toMatchObject({ experiment: 'exp_41d0c2ab', simulated: false, world: null, labels: [] });
  });
});
