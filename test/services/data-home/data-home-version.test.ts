import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AnnealError } from '../../../src/domain/errors.ts';
import { dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import { refuseOtherVersion, stampDataHome } from '../../../src/services/data-home/data-home-version.ts';
import { CommandLine } from '../../support/command-line.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'version-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function refusal(): AnnealError | null {
  try {
    refuseOtherVersion(dataHomeAt(folder));
    return null;
  } catch (error) {
    if (error instanceof AnnealError) return error;
    throw error;
  }
}

describe('a data home', () => {
  test('without a version is new: it is stamped once, and read', () => {
    expect(refusal()).toBeNull();
    stampDataHome(dataHomeAt(folder));
    stampDataHome(dataHomeAt(folder));
    expect(readFileSync(join(folder, 'version'), 'utf8')).toBe('1\n');
    expect(refusal()).toBeNull();
  });

  test.each([
    ['2', 'layout version 2, this anneal reads 1: a newer one wrote it', /install the newer anneal/],
    ['17', 'layout version 17, this anneal reads 1: a newer one wrote it', /install the newer anneal/],
    ['0', 'layout version 0, this anneal reads 1', /use the anneal that wrote it/],
    ['', 'layout version nothing, this anneal reads 1', /use the anneal that wrote it/],
    ['one', 'layout version one, this anneal reads 1', /use the anneal that wrote it/],
  ])('of version "%s" is refused with both versions and the way out', (version, why, next) => {
    writeFileSync(join(folder, 'version'), version);
    expect(refusal()).toMatchObject({
      code: 'ANL-2003',
      exit: 2,
      at: [{ file: join(folder, 'version'), line: 1 }],
      why,
      next: expect.stringMatching(next) as string,
      notSpent: 'nothing was started, 0 tokens spent',
    });
  });

  test.each(['status', 'list', 'report', 'resume', 'up', 'doctor', 'run x.yaml', 'cancel'])(
    'of another version is touched by no command: anneal %s',
    async (line) => {
      const command = new CommandLine();
      try {
        mkdirSync(command.home.root, { recursive: true });
        writeFileSync(join(command.home.root, 'version'), '9\n');
        const { exit, errors } = await command.run(line);
        expect({ exit, errors }).toEqual({ exit: 2, errors: expect.stringContaining('ANL-2003') as string });
      } finally {
        command.remove();
      }
    },
  );
});
