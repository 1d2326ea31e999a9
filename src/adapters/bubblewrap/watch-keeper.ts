import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoneFile } from '../../schema/sandbox-done.ts';
import type { KeeperIdentity } from '../../schema/sandbox.ts';
import { readCapped, readKeeperFiles } from './keeper-files.ts';
import { isKeeperAlive } from './keeper-process.ts';

const pollMs = 500;
const startMs = 10_000;

/** `done` is whatever the keeper wrote, its own faults included. */
export type KeeperEnd =
  | { readonly kind: 'done'; readonly done: DoneFile }
  | { readonly kind: 'lost'; readonly reason: string; readonly elapsedMs: number };

/** The end of a keeper whose announcement a power cut emptied. How long it lived, its lease's calls tell. */
export const cutKeeper = {
  kind: 'lost',
  reason: 'keeper.json is no JSON, as after a power cut',
  elapsedMs: 0,
} as const;

/**
 * Wait for the end of a directory's keeper: by file events, and by looking twice a second, since events are hints.
 * @throws the signal's reason when aborted.
 */
export async function watchKeeper(
  stateDirectory: string,
  signal: AbortSignal,
  onAlive: () => void = () => {},
): Promise<KeeperEnd> {
  const since = Date.now();
  const changes = watchChanges(stateDirectory, signal);
  try {
    while (true) {
      signal.throwIfAborted();
      const end = await look(stateDirectory, since, onAlive);
      if (end !== null) return end;
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

async function look(stateDirectory: string, since: number, onAlive: () => void): Promise<KeeperEnd | null> {
  const { done, identity, isCut } = await readKeeperFiles(stateDirectory);
  if (done !== null) return { kind: 'done', done };
  if (isCut) return cutKeeper;
  if (identity === null) {
    return Date.now() - since < startMs ? null : { kind: 'lost', reason: await whyNot(stateDirectory), elapsedMs: 0 };
  }
  if (!(await isKeeperAlive(identity))) return endOfDeadKeeper(stateDirectory, identity);
  onAlive();
  return null;
}

/** What a keeper left that no longer runs. A keeper touches keeper.json every second: its last sign of life. */
export async function endOfDeadKeeper(stateDirectory: string, identity: KeeperIdentity): Promise<KeeperEnd> {
  const { done } = await readKeeperFiles(stateDirectory);
  if (done !== null) return { kind: 'done', done };
  const { mtimeMs } = await stat(join(stateDirectory, 'keeper.json'));
  const elapsedMs = Math.max(0, Math.round(mtimeMs - identity.startedAt));
  return { kind: 'lost', reason: `keeper ${identity.pid} is gone`, elapsedMs };
}

async function whyNot(stateDirectory: string): Promise<string> {
  const log = (await readCapped(join(stateDirectory, 'keeper.log'), 65_536)) ?? '';
  const last = log.trim().split('\n').at(-1) ?? '';
  return last === '' ? 'the keeper did not start' : `the keeper did not start: ${last.slice(0, 500)}`;
}

/** A wait for the next rename in a folder, the next poll, or the abort; whichever comes first. */
function watchChanges(folder: string, signal: AbortSignal): { next(): Promise<void>; close(): void } {
  let rung = false;
  let wake = () => {};
  const ring = () => {
    rung = true;
    wake();
  };
  let watcher: ReturnType<typeof watch> | null = null;
  try {
    watcher = watch(folder, { persistent: false }, (event) => {
      if (event === 'rename') ring();
    });
    watcher.on('error', ring);
  } catch {
    watcher = null;
  }
  signal.addEventListener('abort', ring);
  return {
    async next() {
      if (!rung) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, pollMs);
        });
        clearTimeout(timer);
      }
      rung = false;
    },
    close() {
      watcher?.close();
      signal.removeEventListener('abort', ring);
    },
  };
}
