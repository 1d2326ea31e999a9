import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { buildLock } from '../support/lock-builder.ts';

const { id } = buildLock();
let line: CommandLine;

beforeEach(() => {
  line = new CommandLine({
    importOfficeBench: async () => {
      throw new Error('nothing may be imported');
    },
  });
  writeExperiment(line.home, buildLock(), demoRecords(5));
  writeFileSync(join(line.directory, 'file'), 'kept');
  mkdirSync(join(line.directory, 'taken', 'summary.simulated-no-transfer.md'), { recursive: true });
});

afterEach(() => line.remove());

const refused: readonly (readonly [place: string, folder: string, why: string])[] = [
  ['on procfs', '/proc/anneal-reports', 'it cannot be made (ENOENT)'],
  ['deep on procfs', '/proc/anneal/reports/of/today', 'it cannot be made (ENOENT)'],
  ['that is a file', 'file', 'is no folder'],
  ['below a file', 'file/reports', 'is no folder'],
  ['whose name is too long', 'x'.repeat(300), 'the path is too long'],
];

describe('a folder to write to', () => {
  it.each(refused)('%s is refused with the reason by report -o, and nothing is left', async (_, folder, why) => {
    const before = readdirSync(line.directory);
    const { exit, errors } = await line.run(`report -o ${folder}`);
    expect(errors).toContain('ANL-1022');
    expect(errors).toContain(why);
    expect(exit).toBe(2);
    expect(readdirSync(line.directory)).toEqual(before);
  });

  it.each(refused.filter(([place]) => place !== 'that is a file' && place !== 'whose name is too long'))(
    '%s is refused with the reason by import --out, before anything is read',
    async (_, folder, why) => {
      const { exit, errors } = await line.run(`import officebench nowhere --out ${folder}`);
      expect(errors).toContain('ANL-1022');
      expect(errors).toContain(why);
      expect(exit).toBe(2);
    },
  );

  it('in which a file of the report is a folder is refused by its name', async () => {
    const { exit, errors } = await line.run('report -o taken');
    expect(errors).toMatch(/ANL-1022 {2}\S*taken\/summary.simulated-no-transfer.md cannot be written to/);
    expect(errors).toContain('it is a folder');
    expect(exit).toBe(2);
  });

  it.each(['report', 'report --format md', 'import officebench nowhere'])(
    'is named: an empty name is refused by anneal %s',
    async (words) => {
      const before = readdirSync(line.directory);
      const { exit, errors } = await line.runWords([
        ...words.split(' '),
        words.startsWith('import') ? '--out' : '-o',
        '',
      ]);
      expect(errors).toContain('ANL-1016');
      expect(errors).toContain('name a folder');
      expect(exit).toBe(2);
      expect(readdirSync(line.directory)).toEqual(before);
    },
  );

  const kept = [
    'experiments',
    `experiments/${id}/records`,
    `experiments/${id}/sealed/new`,
    'blobs',
    'packs/mine',
    'run',
  ];

  it.each(kept)('is never among what the data home keeps, by a link neither: %s', async (folder) => {
    symlinkSync(line.home.root, join(line.directory, 'link'));
    for (const words of ['report -o', 'import officebench nowhere --out']) {
      for (const place of ['.anneal', 'link']) {
        const { exit, errors } = await line.run(`${words} ${place}/${folder}`);
        expect(errors).toContain('ANL-1022');
        expect(errors).toContain('anneal keeps its own files in');
        expect(exit).toBe(2);
      }
    }
    expect(readdirSync(join(line.home.experiments, id, 'sealed'))).toEqual(['records.jsonl']);
  });

  it("may be the experiment's own for reports", async () => {
    expect((await line.run(`report -o .anneal/experiments/${id}/reports`)).exit).toBe(0);
  });

  it('that is not there yet is made with those above it', async () => {
    const { exit } = await line.run('report -o new/of/today');
    expect(exit).toBe(0);
    expect(readdirSync(join(line.directory, 'new/of/today'))).toHaveLength(3);
  });
});
