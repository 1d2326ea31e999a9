import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { isAlive, processIdentity, type ProcessIdentity } from './process-identity.ts';

const PidFile = z.object({ pid: z.number().int().positive(), startTicks: z.string() });

/** Write `<pid> <start ticks>` by rename. */
export function writePidFile(path: string, pid: number): void {
  const identity = processIdentity(pid);
  if (identity === null) return;
  writeFileSync(`${path}.part`, `${identity.pid} ${identity.startTicks}\n`);
  renameSync(`${path}.part`, path);
}

/** The live process that a pid file names, null when the file is absent, damaged, or its process is gone. */
export function readPidFile(path: string): ProcessIdentity | null {
  if (!existsSync(path)) return null;
  const [pid, startTicks] = readFileSync(path, 'utf8').trim().split(' ');
  const parsed = PidFile.safeParse({ pid: Number(pid), startTicks });
  return parsed.success && isAlive(parsed.data) ? parsed.data : null;
}

/** Remove a pid file; absent is fine. */
export function removePidFile(path: string): void {
  rmSync(path, { force: true });
}
