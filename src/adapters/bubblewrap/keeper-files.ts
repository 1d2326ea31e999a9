import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlacedIn } from '../directory-place.ts';
import { DoneFile } from '../../schema/sandbox-done.ts';
import { KeeperIdentity } from '../../schema/sandbox.ts';

/** The files of one state directory, as the keeper writes them: whole, by rename. */
export interface KeeperFiles {
  readonly identity: KeeperIdentity | null;
  readonly done: DoneFile | null;
  /** keeper.json is no JSON: a power cut emptied it, and its keeper is gone. */
  readonly isCut: boolean;
}

/**
 * Read both files; absent is null, and so is one that a power cut emptied: keepers do not wait for the disk.
 * @throws when one holds other JSON than a keeper writes.
 */
export async function readKeeperFiles(stateDirectory: string): Promise<KeeperFiles> {
  const done = await readJson(join(stateDirectory, 'done.json'));
  const identity = await readJson(join(stateDirectory, 'keeper.json'));
  return {
    done: done.kind === 'read' ? DoneFile.parse(done.value) : null,
    identity: identity.kind === 'read' ? ofThisPlace(KeeperIdentity.parse(identity.value), stateDirectory) : null,
    isCut: identity.kind === 'cut',
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

type JsonFile = { readonly kind: 'absent' | 'cut' } | { readonly kind: 'read'; readonly value: unknown };

async function readJson(path: string): Promise<JsonFile> {
  try {
    return { kind: 'read', value: JSON.parse(await readFile(path, 'utf8')) };
  } catch (error) {
    if (isAbsent(error)) return { kind: 'absent' };
    if (error instanceof SyntaxError) return { kind: 'cut' };
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
