import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { AnnealError } from '../../domain/errors.ts';

const candidates = ['/usr/bin/python3', '/usr/local/bin/python3', 'python3.13', 'python3.12', 'python3.11', 'python3'];

const probe =
  'import sys,json\ntry:\n import venv,ensurepip\n v=True\nexcept ImportError:\n v=False\n' +
  'print(json.dumps([list(sys.version_info[:2]),sys.base_prefix,v,sys.executable]))';

/** A Python that can build environments and be reached by a jail's uid. */
export interface PythonInterpreter {
  readonly path: string;
  readonly version: string;
  readonly basePrefix: string;
}

/**
 * Pick the first interpreter of 3.11 or newer with venv whose base prefix every user can read;
 * one below a private home could not be bound into a jail.
 * @throws AnnealError ANL-3002 when there is none, naming what each candidate lacks.
 */
export async function findPythonInterpreter(): Promise<PythonInterpreter> {
  const findings: string[] = [];
  for (const candidate of candidates) {
    const result = await execa(candidate, ['-I', '-c', probe], { reject: false });
    if (result.exitCode !== 0 || typeof result.stdout !== 'string') continue;
    const [[major, minor], basePrefix, hasVenv, executable] = JSON.parse(result.stdout) as [
      [number, number],
      string,
      boolean,
      string,
    ];
    const name = `${candidate} (${major}.${minor})`;
    if (major < 3 || minor < 11) findings.push(`${name}: older than 3.11`);
    else if (!hasVenv) findings.push(`${name}: without venv (Debian: apt install python3-venv)`);
    else if (!readableByAll(basePrefix)) findings.push(`${name}: ${basePrefix} is not readable for other users`);
    else return { path: executable, version: `${major}.${minor}`, basePrefix };
  }
  throw new AnnealError(
    'ANL-3002',
    {},
    { why: findings.join('; ') || 'no python3 was found', notSpent: 'nothing was installed' },
  );
}

function readableByAll(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK);
    let current = realpathSync(directory);
    while (current !== '/') {
      if ((statSync(current).mode & 0o001) === 0) return false;
      current = dirname(current);
    }
    return true;
  } catch {
    return false;
  }
}
