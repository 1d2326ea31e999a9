import { join } from 'node:path';
import type { DataHome } from './data-home.ts';
import { attemptsInFlight, stopAttempt } from './attempts-in-flight.ts';
import { readPidFile, removePidFile } from './pid-file.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { serviceNames } from './service-specification.ts';

const pollMs = 100;

/**
 * Stop what `up` started and nothing else. Attempts in flight finish first: their keepers need the gateway. With `now`
 * they are stopped and go on as the next epoch. Idempotent.
 */
export async function stopServices(
  home: DataHome,
  options: { readonly now: boolean },
  report: (line: string) => void,
): Promise<void> {
  const supervisor = readPidFile(join(home.run, 'supervisor.pid'));
  const worker = readPidFile(join(home.run, 'worker.pid'));
  const flying = attemptsInFlight(home);
  if (flying.length > 0) {
    report(
      options.now
        ? `stopping ${flying.length} attempts in flight; they go on as the next epoch`
        : `waiting for ${flying.length} attempts in flight (anneal down --now stops them)`,
    );
  }
  if (options.now) await Promise.all(flying.map((attempt) => stopAttempt(attempt)));
  if (supervisor !== null) {
    process.kill(supervisor.pid, 'SIGTERM');
    await untilGone(supervisor);
  }
  for (const name of serviceNames.toReversed()) {
    const orphan = readPidFile(join(home.run, `${name}.pid`));
    if (orphan !== null) process.kill(orphan.pid, 'SIGTERM');
    if (orphan !== null) await untilGone(orphan);
    removePidFile(join(home.run, `${name}.pid`));
  }
  if (worker !== null) report('services stopped');
}

async function untilGone(identity: ProcessIdentity): Promise<void> {
  while (isAlive(identity)) await new Promise((resolve) => setTimeout(resolve, pollMs));
}
