import { join } from 'node:path';
import { readWorld } from '../adapters/world-file.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { AnnealError, type SourcePosition } from '../domain/errors.ts';
import { packageRoot } from './package-root.ts';

/** Folder of the published worlds. */
export const worldsDirectory: string = join(packageRoot, 'src', 'simulated', 'worlds');

/**
 * Canonical text of a published world, for the experiment's digest.
 * @throws AnnealError ANL-1003 at `at` when there is no such world.
 */
export function worldDocument(name: string, at: SourcePosition): string {
  try {
    return canonicalJson(readWorld(worldsDirectory, name));
  } catch (error) {
    if (!(error instanceof AnnealError)) throw error;
    throw new AnnealError(
      'ANL-1003',
      { key: 'world', file: at.file },
      { at: [at], why: error.why ?? error.message, notSpent: 'nothing was started, 0 tokens spent' },
    );
  }
}
