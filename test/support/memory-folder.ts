import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder of a run of tests that lies in memory. */
const variable = 'ANNEAL_TEST_MEMORY';
const shared = '/dev/shm';
const neededBytes = 2 << 30;

/**
 * Where data homes lie that live no longer than their test: in memory where this machine has room there, for most of what a
 * whole experiment waits for is the disk. Elsewhere the usual temporary folder.
 */
export function memoryFolder(): string {
  return process.env[variable] ?? tmpdir();
}

/** Make the folder of this run of tests; null where memory has no room or runs no programs. Whoever made it removes it. */
export function makeMemoryFolder(): string | null {
  if (!hasRoom()) return null;
  const folder = mkdtempSync(join(shared, 'at-'));
  chmodSync(folder, 0o1777);
  if (!runsPrograms(folder)) {
    rmSync(folder, { recursive: true });
    return null;
  }
  process.env[variable] = folder;
  return folder;
}

function hasRoom(): boolean {
  try {
    accessSync(shared, constants.W_OK);
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** Containers often mount their shared memory so that nothing in it can be executed. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
