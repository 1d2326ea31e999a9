import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlacedIn } from '../directory-place.ts';
import { DoneFile } from '../../schema/sandbox-done.ts';
import { KeeperIdentity } from '../../schema/sandbox.ts';

/** The files of one state directory, as the keeper writes them: whole, by rename. */
export interface KeeperFiles {
  readonly identity: KeeperIdentity | null;
  readonly done: DoneFile | null;
}

/** Read both files; absent is null. @throws when one does not hold what a keeper writes. */
export async function readKeeperFiles(stateDirectory: string): Promise<KeeperFiles> {
  const done = await readJson(join(stateDirectory, 'done.json'));
  const identity = await readJson(join(stateDirectory, 'keeper.json'));
  return {
    done: done === null ? null : DoneFile.parse(done),
    identity: identity === null ? null : ofThisPlace(KeeperIdentity.parse(identity), stateDirectory),
  };
}

/** In a copy of a state directory: the same identity, of a process that is gone. The original's keeper is none of ours. */
function ofThisPlace(identity: KeeperIdentity, stateDirectory: string): KeeperIdentity {
  return isPlacedIn(identity.place, stateDirectory) ? identity : { ...identity, startTime: 0 };
}

/** Text of a file up to `most` bytes; null when it is absent or larger. */
export async function readCapped(path: string, most: number): Promise<string | null> {
  try {
    if ((await stat(path)).size > most) return null;
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
