import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
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

/** Make the folder of this run of tests; null where there is no room in memory. Whoever made it removes it. */
export function makeMemoryFolder(): string | null {
  if (!hasRoom()) return null;
  const folder = mkdtempSync(join(shared, 'at-'));
  chmodSync(folder, 0o1777);
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
