import { readFileSync } from 'node:fs';

/** A process that cannot be confused with a later one of the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks after boot, field 22 of `/proc/<pid>/stat`. */
  readonly startTicks: string;
}

/** Identity of a live process, null when no process of that pid runs (zombies count as gone). */
export function processIdentity(pid: number): ProcessIdentity | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startTicks = fields[19];
    return fields[0] === 'Z' || startTicks === undefined ? null : { pid, startTicks };
  } catch {
    return null;
  }
}

/** Whether exactly this process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return processIdentity(identity.pid)?.startTicks === identity.startTicks;
}
