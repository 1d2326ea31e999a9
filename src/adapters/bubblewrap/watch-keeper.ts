import { watch } from 'node:fs';
import { join } from 'node:path';
import type { DoneFile } from '../../schema/sandbox-done.ts';
import { readCapped, readKeeperFiles } from './keeper-files.ts';
import { isKeeperAlive } from './keeper-process.ts';

const pollMs = 500;
const startMs = 10_000;

/** `done` is whatever the keeper wrote, its own faults included. */
export type KeeperEnd =
  | { readonly kind: 'done'; readonly done: DoneFile }
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * Wait for the end of a directory's keeper: by file events, and by looking twice a second, since events are hints.
 * @throws the signal's reason when aborted.
 */
export async function watchKeeper(stateDirectory: string, signal: AbortSignal): Promise<KeeperEnd> {
  const since = Date.now();
  const changes = watchChanges(stateDirectory, signal);
  try {
    while (true) {
      signal.throwIfAborted();
      const end = await look(stateDirectory, since);
      if (end !== null) return end;
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

async function look(stateDirectory: string, since: number): Promise<KeeperEnd | null> {
  const { done, identity } = await readKeeperFiles(stateDirectory);
  if (done !== null) return { kind: 'done', done };
  if (identity === null) {
    return Date.now() - since < startMs ? null : { kind: 'lost', reason: await whyNot(stateDirectory) };
  }
  if (await isKeeperAlive(identity)) return null;
  const last = (await readKeeperFiles(stateDirectory)).done;
  return last === null ? { kind: 'lost', reason: `keeper ${identity.pid} is gone` } : { kind: 'done', done: last };
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
