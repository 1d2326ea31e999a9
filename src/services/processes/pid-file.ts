import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { isPlacedIn, placeOf } from '../../adapters/directory-place.ts';
import { isAlive, processIdentity, type ProcessIdentity } from './process-identity.ts';
import { textIfThere } from './text-if-there.ts';

const PidFile = z.object({ pid: z.number().int().positive(), startTicks: z.string(), place: z.string().default('') });

/** Write `<pid> <start ticks> <place of the folder>` by rename; the folder is made where it is missing. */
export function writePidFile(path: string, pid: number): void {
  const identity = processIdentity(pid);
  if (identity === null) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, `${identity.pid} ${identity.startTicks} ${placeOf(dirname(path))}\n`);
  renameSync(`${path}.part`, path);
}

/**
 * The live process that a pid file names, null when the file is absent, damaged, a copy in another folder, or its process is
 * gone.
 */
export function readPidFile(path: string): ProcessIdentity | null {
  const [pid, startTicks, place] = textIfThere(path).trim().split(' ');
  const parsed = PidFile.safeParse({ pid: Number(pid), startTicks, place });
  if (!parsed.success || !isPlacedIn(parsed.data.place, dirname(path))) return null;
  return isAlive(parsed.data) ? { pid: parsed.data.pid, startTicks: parsed.data.startTicks } : null;
}

/** Remove a pid file; absent is fine. */
export function removePidFile(path: string): void {
  rmSync(path, { force: true });
}
