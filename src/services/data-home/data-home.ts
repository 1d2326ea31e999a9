import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AnnealError } from '../../domain/errors.ts';
import { writeFault } from './write-fault.ts';

/** Paths below one data home. Only this file knows the layout. */
export interface DataHome {
  readonly root: string;
  readonly temporalDatabase: string;
  readonly ledger: string;
  readonly blobs: string;
  readonly harnessRepository: string;
  readonly experiments: string;
  readonly run: string;
  /** State directories of attempts whose record is not written yet. */
  readonly attempts: string;
  readonly logs: string;
  /** Held by the supervisor for as long as it lives; outside `run`, whose files may be lost. */
  readonly supervisorLock: string;
  /** Held by whoever starts the services. */
  readonly servicesLock: string;
  readonly python: string;
  readonly packs: string;
  /** Short, traversable staging directory outside the data home: socket paths stay below 108 bytes. */
  readonly staging: string;
  readonly sockets: string;
  readonly controlSocket: string;
}

/**
 * Find the data home: `ANNEAL_HOME`, else the nearest `.anneal` at or above `from`, else `.anneal` in `from`.
 * Nothing is created.
 */
export function locateDataHome(from: string, environment: NodeJS.ProcessEnv): DataHome {
  const explicit = environment['ANNEAL_HOME'];
  if (explicit !== undefined && explicit !== '') return dataHomeAt(resolve(from, explicit));
  let directory = resolve(from);
  while (true) {
    const candidate = join(directory, '.anneal');
    if (isFolder(candidate)) return dataHomeAt(candidate);
    const parent = dirname(directory);
    if (parent === directory) return dataHomeAt(join(resolve(from), '.anneal'));
    directory = parent;
  }
}

/** The layout below `root`; nothing is created. */
export function dataHomeAt(root: string): DataHome {
  const real = existsSync(root) ? realpathSync(root) : resolve(root);
  const digest = createHash('sha256').update(real).digest('hex').slice(0, 10);
  // Not TMPDIR where it can be helped: every shell must find the sockets of the services that another one started.
  const staging = join(existsSync('/tmp') ? '/tmp' : tmpdir(), `anneal-${process.getuid?.() ?? 0}-${digest}`);
  return {
    root: real,
    temporalDatabase: join(real, 'temporal.db'),
    ledger: join(real, 'ledger.db'),
    blobs: join(real, 'blobs'),
    harnessRepository: join(real, 'harness.git'),
    experiments: join(real, 'experiments'),
    run: join(real, 'run'),
    attempts: join(real, 'run', 'attempts'),
    logs: join(real, 'logs'),
    supervisorLock: join(real, 'supervisor.lock'),
    servicesLock: join(real, 'services.lock'),
    python: join(real, 'python'),
    packs: join(real, 'packs'),
    staging,
    sockets: join(staging, 's'),
    controlSocket: join(staging, 'c', 'gateway.sock'),
  };
}

/**
 * Create the directories of a data home. Idempotent.
 * @throws AnnealError ANL-1018 for what is no folder, may not be written, or belongs to somebody else.
 */
export function createDataHome(home: DataHome): void {
  const { root, blobs, experiments, attempts, logs, python, packs } = home;
  for (const directory of [root, blobs, experiments, dirname(attempts), attempts, logs, python, packs]) {
    makeFolder(home, directory);
  }
}

/** @throws AnnealError ANL-1018 when something stands at the root of a data home that is no folder. */
export function refuseOtherThanFolder(home: DataHome): void {
  if (existsSync(home.root) && !isFolder(home.root)) throw unusable(home, home.root, 'it is no folder');
}

/**
 * Make a folder of a data home and those above it, one after the other, for `mkdir -p` of Node never returns below /proc.
 * @throws AnnealError ANL-1018.
 */
export function makeFolder(home: DataHome, directory: string): void {
  const parent = dirname(directory);
  if (!existsSync(directory)) {
    if (!existsSync(parent)) makeFolder(home, parent);
    try {
      mkdirSync(directory, { mode: directory.startsWith(home.staging) ? 0o700 : 0o777 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code !== 'EEXIST') throw unusable(home, directory, writeFault(error));
    }
  }
  if (!isFolder(directory)) throw unusable(home, directory, 'it is no folder');
  if (directory.startsWith(home.staging)) refuseForeign(home, directory);
  else if (directory.startsWith(home.root)) refuseUnwritable(home, directory);
}

/** A folder that somebody else laid out in /tmp would hand them the sockets. */
function refuseForeign(home: DataHome, directory: string): void {
  const found = lstatSync(directory);
  if (found.isDirectory() && found.uid === process.getuid?.()) return;
  throw unusable(home, directory, 'it belongs to somebody else; remove it first');
}

function refuseUnwritable(home: DataHome, directory: string): void {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch {
    throw unusable(home, directory, 'it may not be written to');
  }
}

function unusable(home: DataHome, directory: string, why: string): AnnealError {
  const notSpent = 'nothing was started, 0 tokens spent';
  return new AnnealError('ANL-1018', { home: home.root }, { why: `${directory}: ${why}`, notSpent });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
