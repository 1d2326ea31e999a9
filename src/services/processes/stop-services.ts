import { join } from 'node:path';
import type { DataHome } from '../data-home/data-home.ts';
import { attemptsInFlight, stopAttempt, untilAttemptsEnd } from './attempts-in-flight.ts';
import { readPidFile, removePidFile } from './pid-file.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { sendSignal } from './send-signal.ts';
import { serviceNames } from './service-specification.ts';
import { removeStaging } from '../data-home/staging.ts';
import { markStopping } from './stopping.ts';

const pollMs = 100;

/**
 * Stop what `up` started and nothing else. The worker goes first, so that nothing new starts; attempts in flight then
 * finish, for which their keepers need the gateway. With `now` they are stopped and go on as the next epoch. Idempotent.
 */
export async function stopServices(
  home: DataHome,
  options: { readonly now: boolean },
  report: (line: string) => void,
): Promise<void> {
  const supervisor = readPidFile(join(home.run, 'supervisor.pid'));
  const worker = readPidFile(join(home.run, 'worker.pid'));
  if (supervisor !== null) markStopping(home);
  const first = supervisor ?? worker;
  if (first !== null) sendSignal(first, 'SIGTERM');
  if (worker !== null) await untilGone(worker);
  const flying = attemptsInFlight(home);
  if (flying.length > 0) {
    report(
      options.now
        ? `stopping ${flying.length} attempts in flight; they go on as the next epoch`
        : `waiting for ${flying.length} attempts in flight (anneal down --now stops them)`,
    );
  }
  if (options.now) await Promise.all(flying.map((attempt) => stopAttempt(attempt)));
  else await untilAttemptsEnd(home);
  if (supervisor !== null) await untilGone(supervisor);
  for (const name of serviceNames.toReversed()) {
    const orphan = readPidFile(join(home.run, `${name}.pid`));
    if (orphan !== null) sendSignal(orphan, 'SIGTERM');
    if (orphan !== null) await untilGone(orphan);
    removePidFile(join(home.run, `${name}.pid`));
  }
  removeStaging(home);
  if (worker !== null) report('services stopped');
}

async function untilGone(identity: ProcessIdentity): Promise<void> {
  while (isAlive(identity)) await new Promise((resolve) => setTimeout(resolve, pollMs));
}
