import type { ProcessIdentity } from './process-identity.ts';

/** Signal a process that lived a moment ago; one that has ended since is fine. */
export function sendSignal({ pid }: ProcessIdentity, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
