import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { buildLock } from '../support/lock-builder.ts';

const program = join(packageRoot, 'dist', 'src', 'cli', 'main.js');
let folder: CommandLine;

beforeAll(() => {
  folder = new CommandLine();
  writeExperiment(folder.home, buildLock(), demoRecords(5));
});

afterAll(() => folder.remove());

const start = (words: string, stdout: 'pipe' | number) => {
  const { ANNEAL_HOME: _, ...environment } = process.env;
  const line = [program, ...words.split(' ').filter(Boolean)];
  return spawn(process.execPath, line, {
    cwd: folder.directory,
    env: environment,
    stdio: ['ignore', stdout, 'pipe'],
  });
};

const all = (stream: Readable | null): Promise<string> => text(stream ?? Readable.from([]));

describe('a command whose output nobody reads any more', () => {
  it.each(['', 'status', 'list', 'report --json', 'run --help'])(
    'anneal %s ends without a word, as by SIGPIPE',
    async (words) => {
      const child = start(words, 'pipe');
      child.stdout?.destroy();
      const [said, [code]] = await Promise.all([all(child.stderr), once(child, 'exit')]);
      expect({ said, code }).toEqual({ said: '', code: 141 });
    },
  );

  it('ends the same way where its narration is not read', async () => {
    const child = start('status nothing', 'pipe');
    child.stderr?.destroy();
    const [said, [code]] = await Promise.all([all(child.stdout), once(child, 'exit')]);
    expect({ said, code }).toEqual({ said: '', code: 141 });
  });

  it('tells a disk that is full by its error, exit code 5', async () => {
    const full = openSync('/dev/full', 'w');
    const child = start('list', full);
    closeSync(full);
    const [said, [code]] = await Promise.all([all(child.stderr), once(child, 'exit')]);
    expect(said).toMatch(/^error ANL-3013 {2}the disk of the output is full\n/);
    expect(code).toBe(5);
  });
});
