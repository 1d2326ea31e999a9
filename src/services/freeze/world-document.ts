import { join } from 'node:path';
import { readFaultProfile } from '../../adapters/fault-profile-file.ts';
import { readWorld } from '../../adapters/world-file.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { AnnealError, type SourcePosition } from '../../domain/errors.ts';
import { packageRoot } from '../package-root.ts';

/** Folder of the published worlds. */
export const worldsDirectory: string = join(packageRoot, 'src', 'simulated', 'worlds');

/** Folder of the published fault profiles. */
export const faultsDirectory: string = join(packageRoot, 'src', 'simulated', 'faults');

/**
 * Canonical text of a simulated model's published world, and of its fault profile where it has one, for the experiment's
 * digest.
 * @param at where a key of the model stands.
 * @throws AnnealError ANL-1003 when there is no such world or profile.
 */
export function worldDocument(
  { world, faults }: { readonly world: string; readonly faults?: string | undefined },
  at: (key: 'world' | 'faults') => SourcePosition,
): string {
  const truth = refused('world', at, () => readWorld(worldsDirectory, world));
  if (faults === undefined) return canonicalJson(truth);
  return canonicalJson([truth, refused('faults', at, () => readFaultProfile(faultsDirectory, faults))]);
}

function refused<Document>(
  key: 'world' | 'faults',
  at: (key: 'world' | 'faults') => SourcePosition,
  read: () => Document,
): Document {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AnnealError)) throw error;
    const position = at(key);
    throw new AnnealError(
      'ANL-1003',
      { key, file: position.file },
      { at: [position], why: error.why ?? error.message, notSpent: 'nothing was started, 0 tokens spent' },
    );
  }
}
