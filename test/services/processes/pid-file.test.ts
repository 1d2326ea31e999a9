import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPidFile, removePidFile, writePidFile } from '../../../src/services/processes/pid-file.ts';

let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-pid-'));
  path = join(folder, 'x.pid');
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('a pid file', () => {
  test('names a process that lives, by pid and start time', () => {
    writePidFile(path, process.pid);
    expect(readPidFile(path)?.pid).toBe(process.pid);
  });

  test('names nobody once its process is gone', async () => {
    const child = spawn('/bin/sleep', ['60']);
    writePidFile(path, child.pid ?? 0);
    expect(readPidFile(path)?.pid).toBe(child.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readPidFile(path)).toBeNull();
  });

  test('does not take a later process of the same pid for its own', () => {
    writePidFile(path, process.pid);
    const [pid, ticks] = readFileSync(path, 'utf8').trim().split(' ');
    writeFileSync(path, `${pid} ${Number(ticks) - 1}\n`);
    expect(readPidFile(path)).toBeNull();
  });

  test('that was copied with its folder names nobody, one that was moved with it still does', () => {
    const [original, copy, moved] = ['run', 'copy', 'moved'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writePidFile(join(original, 'x.pid'), process.pid);
    cpSync(original, copy, { recursive: true, preserveTimestamps: true });
    expect(readPidFile(join(copy, 'x.pid'))).toBeNull();
    renameSync(original, moved);
    expect(readPidFile(join(moved, 'x.pid'))?.pid).toBe(process.pid);
  });

  test('of the version before, without a place, is still read', () => {
    writePidFile(path, process.pid);
    writeFileSync(path, readFileSync(path, 'utf8').split(' ').slice(0, 2).join(' '));
    expect(readPidFile(path)?.pid).toBe(process.pid);
  });

  test.each(['', 'abc', '12', '-5 7', '0 0'])('that holds %j names nobody', (text) => {
    writeFileSync(path, text);
    expect(readPidFile(path)).toBeNull();
  });

  test('may be absent, and may be removed twice', () => {
    removePidFile(path);
    removePidFile(path);
    expect(readPidFile(path)).toBeNull();
  });
});
