import { readFile } from 'node:fs/promises';
import type { KeeperIdentity } from '../../schema/sandbox.ts';

/** Whether exactly this keeper still runs: same pid and same start time, and not a zombie. */
export async function isKeeperAlive(identity: KeeperIdentity): Promise<boolean> {
  try {
    const line = await readFile(`/proc/${identity.pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields[0] !== 'Z' && fields[0] !== 'X' && Number(fields[19]) === identity.startTime;
  } catch {
    return false;
  }
}

/** Send a signal to exactly this keeper; nothing happens when it has ended. */
export async function signalKeeper(identity: KeeperIdentity, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!(await isKeeperAlive(identity))) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
