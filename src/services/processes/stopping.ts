import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataHome } from '../data-home/data-home.ts';

/** Write down that the supervisor was asked to stop and may still wait for attempts in flight. */
export function markStopping(home: DataHome): void {
  writeFileSync(markOf(home), '');
}

/** Whether the supervisor that runs was asked to stop. */
export function isStopping(home: DataHome): boolean {
  return existsSync(markOf(home));
}

/** Take that back; fine where nothing was written. */
export function clearStopping(home: DataHome): void {
  rmSync(markOf(home), { force: true });
}

function markOf(home: DataHome): string {
  return join(home.run, 'supervisor.stopping');
}
