import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

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
    if (existsSync(candidate)) return dataHomeAt(candidate);
    const parent = dirname(directory);
    if (parent === directory) return dataHomeAt(join(resolve(from), '.anneal'));
    directory = parent;
  }
}

/** The layout below `root`; nothing is created. */
export function dataHomeAt(root: string): DataHome {
  const real = existsSync(root) ? realpathSync(root) : resolve(root);
  const digest = createHash('sha256').update(real).digest('hex').slice(0, 10);
  const staging = join(tmpdir(), `anneal-${process.getuid?.() ?? 0}-${digest}`);
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
    python: join(real, 'python'),
    packs: join(real, 'packs'),
    staging,
    sockets: join(staging, 's'),
    controlSocket: join(staging, 'c', 'gateway.sock'),
  };
}

/** Create the directories of a data home. Idempotent. Staging is traversable for jail uids, its control part is private. */
export function createDataHome(home: DataHome): void {
  for (const directory of [
    home.root,
    home.blobs,
    home.experiments,
    home.attempts,
    home.logs,
    home.python,
    home.packs,
  ]) {
    mkdirSync(directory, { recursive: true });
  }
  mkdirSync(home.staging, { recursive: true, mode: 0o711 });
  chmodSync(home.staging, 0o711);
  mkdirSync(home.sockets, { recursive: true, mode: 0o711 });
  chmodSync(home.sockets, 0o711);
  mkdirSync(dirname(home.controlSocket), { recursive: true, mode: 0o700 });
}
