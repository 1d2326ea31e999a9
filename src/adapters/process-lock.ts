import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';

const pollMs = 100;

/** A lock that is held. The kernel lets go of it when the process dies, however it dies. */
export interface ProcessLock {
  readonly release: () => void;
}

/**
 * Take a lock by the name of a file in an existing folder, waiting at most `waitMs` for it; null when another process, or this
 * one, holds it.
 */
export function tryProcessLock(file: string, waitMs = 0): ProcessLock | null {
  const database = new Database(file, { timeout: waitMs });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** Do something that one process at a time may do. `onWait` is called once when another one is at it. */
export async function exclusively<Value>(file: string, onWait: () => void, work: () => Promise<Value>): Promise<Value> {
  let lock = tryProcessLock(file);
  if (lock === null) onWait();
  while (lock === null) {
    await sleep(pollMs);
    lock = tryProcessLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
