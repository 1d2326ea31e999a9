import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AnnealError, type SourcePosition } from '../domain/errors.ts';
import { harnessFileNames, type HarnessFiles } from '../schema/harness.ts';
import type { HarnessDigest } from '../schema/ids.ts';
import { readNamedBytes, readNamedFolder } from './named-file.ts';
import { filesDigest } from './tree-digest.ts';

/** SHA-256 over the bytes of the four files; equal bytes, equal digest. */
export function harnessDigest(files: HarnessFiles): HarnessDigest {
  return filesDigest(harnessFileNames.map((name) => [name, files[name]])) as string as HarnessDigest;
}

/**
 * Read a harness directory; `namedBy` is the place that names it.
 * @throws AnnealError ANL-1207 unless it holds exactly the four files, ANL-1017 for what cannot be read.
 */
export function readHarnessDirectory(directory: string, namedBy?: SourcePosition): HarnessFiles {
  const entries = existsSync(directory) ? readNamedFolder(directory, namedBy) : [];
  const found = entries
    .filter((entry) => entry.name !== '__pycache__')
    .map((entry) => (entry.isFile() ? entry.name : `${entry.name} (no file)`));
  const missing = harnessFileNames.filter((name) => !found.includes(name));
  const extra = found.filter((name) => !(harnessFileNames as readonly string[]).includes(name));
  if (missing.length > 0 || extra.length > 0) {
    const why = [
      missing.length > 0 && `missing ${missing.join(', ')}`,
      extra.length > 0 && `not of it: ${extra.join(', ')}`,
    ];
    throw new AnnealError(
      'ANL-1207',
      { directory },
      {
        at: [namedBy ?? { file: directory }],
        why: why.filter((part) => part !== false).join('; '),
        notSpent: 'nothing was started, 0 tokens spent',
      },
    );
  }
  return Object.fromEntries(
    harnessFileNames.map((name) => [name, readNamedBytes(join(directory, name), namedBy)]),
  ) as unknown as HarnessFiles;
}
