import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isPlacedIn } from '../../adapters/directory-place.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';

const KeeperFile = z.object({
  pid: z.number().int().positive(),
  startTime: z.number().int(),
  place: z.string().default(''),
});

/** A keeper that still runs. */
export interface AttemptInFlight {
  readonly stateDirectory: string;
  readonly keeper: ProcessIdentity;
}

/** Attempts of this data home whose keeper is alive. */
export function attemptsInFlight(home: DataHome): AttemptInFlight[] {
  const folder = home.attempts;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const stateDirectory = join(folder, name);
    const file = join(stateDirectory, 'keeper.json');
    if (!existsSync(file)) return [];
    const parsed = KeeperFile.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (!parsed.success || !isPlacedIn(parsed.data.place, stateDirectory)) return [];
    const keeper = { pid: parsed.data.pid, startTicks: String(parsed.data.startTime) };
    return isAlive(keeper) ? [{ stateDirectory, keeper }] : [];
  });
}

/** Ask a keeper to stop its jails and end, after five seconds make it; resolves when it is gone. */
export async function stopAttempt({ keeper }: AttemptInFlight): Promise<void> {
  const deadline = Date.now() + 5_000;
  process.kill(keeper.pid, 'SIGTERM');
  while (isAlive(keeper)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (Date.now() > deadline && isAlive(keeper)) process.kill(keeper.pid, 'SIGKILL');
  }
}

/** Resolves when no attempt of this data home is in flight any more. */
export async function untilAttemptsEnd(home: DataHome): Promise<void> {
  while (attemptsInFlight(home).length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
}
