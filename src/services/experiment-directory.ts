import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AnnealError } from '../domain/errors.ts';
import type { ExperimentId } from '../schema/ids.ts';
import { ExperimentLock } from '../schema/experiment-lock.ts';
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

/** Every experiment of a data home, newest first. A folder without a readable lock is left out. */
export function listExperiments(home: DataHome): ExperimentLock[] {
  if (!existsSync(home.experiments)) return [];
  return readdirSync(home.experiments)
    .map((name) => readLock(join(home.experiments, name, 'lock.json')))
    .filter((lock) => lock !== null)
    .toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : left.createdAt > right.createdAt ? -1 : 0));
}

/**
 * The experiment that a person means: an id, a prefix of one (with or without `exp_`), a name, or, when absent, the newest.
 * @throws AnnealError ANL-1008 when none fits, ANL-1009 when several do.
 */
export function findExperiment(home: DataHome, wanted: string | undefined): ExperimentLock {
  const all = listExperiments(home);
  const newest = all[0];
  if (newest === undefined) throw new AnnealError('ANL-1008', { experiment: wanted ?? '', home: home.root });
  if (wanted === undefined) return newest;
  const byId = all.filter(({ id }) => id.startsWith(wanted) || id.startsWith(`exp_${wanted}`));
  if (byId.length > 1) {
    throw new AnnealError('ANL-1009', { prefix: wanted, matches: byId.map(({ id }) => id).join(', ') });
  }
  const found = byId[0] ?? all.find(({ identity }) => identity.name === wanted);
  if (found === undefined) throw new AnnealError('ANL-1008', { experiment: wanted, home: home.root });
  return found;
}

function readLock(path: string): ExperimentLock | null {
  if (!existsSync(path)) return null;
  try {
    return ExperimentLock.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
