import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exclusively, tryProcessLock } from '../../src/adapters/process-lock.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-lock-'));
  file = join(folder, 'x.lock');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('a process lock', () => {
  test('is held by one, until it lets go', () => {
    const first = tryProcessLock(file);
    expect([first === null, tryProcessLock(file)]).toEqual([false, null]);
    first?.release();
    const second = tryProcessLock(file);
    expect(second).not.toBeNull();
    second?.release();
  });

  test('is free again once its process was killed', async () => {
    const libsql = createRequire(import.meta.url).resolve('libsql');
    const holder = spawn(process.execPath, [
      '-e',
      `const D = require(${JSON.stringify(libsql)}); globalThis.d = new D(${JSON.stringify(file)});
       globalThis.d.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;'); console.log('held'); setInterval(() => globalThis.d, 1000);`,
    ]);
    await once(holder.stdout, 'data');
    expect(tryProcessLock(file)).toBeNull();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lock = tryProcessLock(file);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  test('lets what several want to do happen one after the other, and tells who waits', async () => {
    let inside = 0;
    let most = 0;
    let waits = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(20);
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => exclusively(file, () => void (waits += 1), work)));
    expect({ most, waits }).toEqual({ most: 1, waits: 2 });
  });

  test('is let go when the work fails', async () => {
    const failing = exclusively(
      file,
      () => {},
      () => Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    const lock = tryProcessLock(file);
    expect(lock).not.toBeNull();
    lock?.release();
  });
});
