import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readLockFile } from '../../adapters/lock-file.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { ExperimentId } from '../../schema/ids.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { DataHome } from './data-home.ts';

/** Paths of one experiment's projections. */
export interface ExperimentDirectory {
  readonly root: string;
  readonly config: string;
  readonly lock: string;
  /** JSONL per kind of record, open at all times. */
  readonly records: string;
  /** JSONL of selection and final, closed until the experiment is. */
  readonly sealed: string;
  readonly reports: string;
}

/** Where an experiment keeps its files; nothing is made or looked at. */
export function experimentDirectory(home: DataHome, id: ExperimentId): ExperimentDirectory {
  const root = join(home.experiments, id);
  return {
    root,
    config: join(root, 'config.yaml'),
    lock: join(root, 'lock.json'),
    records: join(root, 'records'),
    sealed: join(root, 'sealed'),
    reports: join(root, 'reports'),
  };
}

/** Every experiment of a data home, newest first; those whose lock is damaged are not among them. */
export function listExperiments(home: DataHome): ExperimentLock[] {
  return readLocks(home)
    .flatMap(({ lock }) => (lock === null ? [] : [lock]))
    .toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : left.createdAt > right.createdAt ? -1 : 0));
}

/** Experiments whose lock is damaged, or missing beside their records, and what is wrong with it. */
export function damagedExperiments(home: DataHome): { readonly name: string; readonly error: AnnealError }[] {
  return readLocks(home).flatMap(({ name, error }) => (error === null ? [] : [{ name, error }]));
}

/**
 * The experiment that a person means: an id, a prefix of one (with or without `exp_`), a name, or, when absent, the newest.
 * @throws AnnealError ANL-1019 when there is none at all, ANL-1008 when none fits, ANL-1009 when several do, ANL-6001 when its
 * lock is damaged or missing; then its file as it was given tells the name.
 */
export function findExperiment(home: DataHome, wanted: string | undefined): ExperimentLock {
  const all = listExperiments(home);
  const damaged = damagedExperiments(home).find(
    ({ name }) => wanted === undefined || name.startsWith(wanted) || name.startsWith(`exp_${wanted}`),
  );
  if (damaged !== undefined && (wanted !== undefined || all.length === 0)) throw damaged.error;
  const newest = all[0];
  if (wanted === undefined) {
    if (newest === undefined) throw new AnnealError('ANL-1019', { home: home.root });
    return newest;
  }
  const byId = all.filter(({ id }) => id.startsWith(wanted) || id.startsWith(`exp_${wanted}`));
  if (byId.length > 1) {
    throw new AnnealError('ANL-1009', { prefix: wanted, matches: byId.map(({ id }) => id).join(', ') });
  }
  const found = byId[0] ?? all.find(({ identity }) => identity.name === wanted);
  if (found === undefined)
    throw lostLock(home, wanted) ?? new AnnealError('ANL-1008', { experiment: wanted, home: home.root });
  return found;
}

/** Why an experiment cannot be read whose folder is there, by id or by name, and whose lock is missing or damaged. */
function lostLock(home: DataHome, wanted: string): AnnealError | undefined {
  const folder = readFolders(home).find((name) => name.startsWith(wanted) || name.startsWith(`exp_${wanted}`));
  if (folder !== undefined) return missingLock(folder, experimentDirectory(home, folder as ExperimentId).lock);
  const named = damagedExperiments(home).find(
    ({ name }) => givenName(experimentDirectory(home, name as ExperimentId)) === wanted,
  );
  return named?.error;
}

/** The name that the experiment file as it was given says; undefined where it says none, as where a variable gives it. */
function givenName({ config }: ExperimentDirectory): unknown {
  try {
    const { name } = parse(readFileSync(config, 'utf8')) as { readonly name?: unknown };
    return name;
  } catch {
    return undefined;
  }
}

function missingLock(name: string, lock: string): AnnealError {
  return new AnnealError(
    'ANL-6001',
    { object: `experiment ${name}` },
    { at: [{ file: lock }], why: `${lock} is missing` },
  );
}

/** Whether anything is on record in a folder: one that was begun and never frozen is no experiment yet. */
function hasRecords({ records, sealed }: ExperimentDirectory): boolean {
  return [records, sealed].some(
    (folder) => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.jsonl')),
  );
}

function readFolders({ experiments }: DataHome): string[] {
  return existsSync(experiments) ? readdirSync(experiments).filter((name) => name.startsWith('exp_')) : [];
}

interface ReadLock {
  readonly name: string;
  readonly lock: ExperimentLock | null;
  readonly error: AnnealError | null;
}

function readLocks(home: DataHome): ReadLock[] {
  return readFolders(home).flatMap((name): ReadLock[] => {
    const directory = experimentDirectory(home, name as ExperimentId);
    if (!existsSync(directory.lock))
      return hasRecords(directory) ? [{ name, lock: null, error: missingLock(name, directory.lock) }] : [];
    try {
      return [{ name, lock: readLockFile(directory.lock), error: null }];
    } catch (error) {
      if (error instanceof AnnealError) return [{ name, lock: null, error }];
      throw error;
    }
  });
}
