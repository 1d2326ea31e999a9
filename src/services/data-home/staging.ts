import { chmodSync, rmSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DataHome, makeFolder } from './data-home.ts';
import { readPidFile } from '../processes/pid-file.ts';

/**
 * Create the folders of a data home's sockets. Idempotent. Staging is traversable for jail uids, its control part is private.
 * @throws AnnealError ANL-1018 for what is no folder or belongs to somebody else.
 */
export function createStaging(home: DataHome): void {
  for (const directory of [home.staging, home.sockets, dirname(home.controlSocket)]) makeFolder(home, directory);
  chmodSync(home.staging, 0o711);
  chmodSync(home.sockets, 0o711);
  chmodSync(dirname(home.controlSocket), 0o700);
}

/** Remove what `createStaging` and the sandboxes made; nothing happens while services run, what a keeper uses stays. */
export function removeStaging(home: DataHome): void {
  if (readPidFile(join(home.run, 'supervisor.pid')) !== null) return;
  for (const directory of [home.sockets, dirname(home.controlSocket)])
    rmSync(directory, { recursive: true, force: true });
  for (const directory of [join(home.staging, 'k'), home.staging]) removeEmpty(directory);
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTEMPTY')) return;
    throw error;
  }
}
