import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isPlacedIn } from '../../adapters/directory-place.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { sendSignal } from './send-signal.ts';
import { textIfThere } from './text-if-there.ts';
import { parsedJson } from '../../domain/parsed-json.ts';

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
    // The worker removes the folder of an attempt that it has collected.
    const parsed = KeeperFile.safeParse(parsedJson(textIfThere(join(stateDirectory, 'keeper.json'))));
    if (!parsed.success || !isPlacedIn(parsed.data.place, stateDirectory)) return [];
    const keeper = { pid: parsed.data.pid, startTicks: String(parsed.data.startTime) };
    return isAlive(keeper) ? [{ stateDirectory, keeper }] : [];
  });
}

/** Ask a keeper to stop its jails and end, after five seconds make it; resolves when it is gone. */
export async function stopAttempt({ keeper }: AttemptInFlight): Promise<void> {
  const deadline = Date.now() + 5_000;
  sendSignal(keeper, 'SIGTERM');
  while (isAlive(keeper)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (Date.now() > deadline && isAlive(keeper)) sendSignal(keeper, 'SIGKILL');
  }
}

/** Resolves when no attempt of this data home is in flight any more. */
export async function untilAttemptsEnd(home: DataHome): Promise<void> {
  while (attemptsInFlight(home).length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
}
