import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AnnealError } from '../../domain/errors.ts';
import { writeFault } from './write-fault.ts';

/**
 * Refuse a folder that cannot be made or written to, by trying in the nearest one above it that exists; nothing is left
 * there. To be asked before any `mkdir -p`: that of Node never returns below /proc.
 * @throws AnnealError ANL-1022.
 */
export function requireWritable(directory: string): void {
  const nearest = nearestExisting(directory);
  if (!statSync(nearest).isDirectory()) throw unwritable(directory, `${nearest} is no folder`);
  writing(directory, () => rmdirSync(mkdtempSync(join(nearest, '.anneal-'))));
}

/** Write something there. @throws AnnealError ANL-1022 when the system refuses it. */
export function writing<Value>(path: string, write: () => Value): Value {
  try {
    return write();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw unwritable(path, writeFault(error), error);
    throw error;
  }
}

/** The folder or file itself where it exists, else the nearest one above it that does. */
export function nearestExisting(directory: string): string {
  for (let path = directory; ; path = dirname(path)) {
    if (existsSync(path) || dirname(path) === path) return path;
  }
}

function unwritable(path: string, why: string, cause?: unknown): AnnealError {
  return new AnnealError('ANL-1022', { path }, { at: [{ file: path }], why, cause });
}
