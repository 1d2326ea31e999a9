import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { AnnealError } from '../../domain/errors.ts';
import type { DataHome } from './data-home.ts';
import { nearestExisting } from './require-writable.ts';

/**
 * Refuse to write among what a data home keeps (records, sealed ones, blobs, packs and the rest), by symbolic links too;
 * `except` is a folder in it that is meant for that. `folder` is absolute. @throws AnnealError ANL-1022.
 */
export function refuseKeptFolder(home: DataHome, folder: string, except: string | null): void {
  const nearest = nearestExisting(folder);
  const real = join(realpathSync(nearest), relative(nearest, folder));
  if (except !== null && isWithin(real, except)) return;
  const { experiments, blobs, harnessRepository, run, logs, python, packs, staging } = home;
  const kept = [experiments, blobs, harnessRepository, run, logs, python, packs, staging];
  const holder = kept.find((each) => isWithin(real, each));
  if (holder === undefined) return;
  const why = `anneal keeps its own files in ${holder}`;
  throw new AnnealError('ANL-1022', { path: folder }, { at: [{ file: folder }], why, next: 'name another folder' });
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
