import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { byteDigest } from '../../adapters/byte-digest.ts';
import { buildPolicyBook, writePolicyBook, type PolicySource } from '../../adapters/policy-book.ts';
import { earlierPrices } from '../../domain/earlier-prices.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { harnessFileNames } from '../../schema/harness.ts';
import type { Sha256 } from '../../schema/ids.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { isExperimentClosed } from '../data-home/experiment-closed.ts';
import { damagedExperiments, experimentDirectory, listExperiments } from '../data-home/experiment-directory.ts';
import type { FrozenExperiment } from './freeze-experiment.ts';
import { identityDifferences } from './identity-differences.ts';

/** How a frozen config relates to what the data home holds. */
export type Stored =
  | { readonly kind: 'new'; readonly lock: ExperimentLock }
  /** The same identity was stored before; operational settings are taken from the file, but for the prices of a closed one. */
  | { readonly kind: 'known'; readonly lock: ExperimentLock };

/**
 * Store a frozen experiment in the data home, or find it there. Idempotent by digest.
 * @param isOpen tells whether a stored experiment still runs or could go on.
 * @param allowNew start another one although an open experiment of that name differs.
 * @throws AnnealError ANL-2001 with the differences: never a silent second paid run; ANL-6001 where a damaged lock hides
 * whether there would be one.
 */
export async function storeExperiment(
  home: DataHome,
  frozen: FrozenExperiment,
  isOpen: (lock: ExperimentLock) => Promise<boolean>,
  allowNew: boolean,
): Promise<Stored> {
  const { lock } = frozen;
  const existing = listExperiments(home);
  const same = existing.find(({ digest }) => digest === lock.digest);
  if (same === undefined && !allowNew) {
    // It may be the one of this name that still runs.
    const damaged = damagedExperiments(home).find(({ name }) => name !== lock.id);
    if (damaged !== undefined) throw damaged.error;
    for (const other of existing.filter(({ identity }) => identity.name === lock.identity.name)) {
      if (await isOpen(other)) throw changed(lock, other);
    }
  }
  if (existing.some(({ id, digest }) => id === lock.id && digest !== lock.digest)) {
    throw new AnnealError('ANL-6001', { object: `experiment ${lock.id}` });
  }
  if (same === undefined) return { kind: 'new', lock: write(home, frozen, lock) };
  // What a closed experiment cost was reckoned at the prices it had: today's are no longer its own.
  const { prices } = (isExperimentClosed(home, same.id) ? same : lock).operational;
  const priced = prices === undefined ? {} : { prices };
  const operational = { ...lock.operational, ...priced, ...earlierPrices(same.operational, priced) };
  return { kind: 'known', lock: write(home, { ...frozen, lock: { ...lock, operational } }, same) };
}

function changed(lock: ExperimentLock, other: ExperimentLock): AnnealError {
  const differences = identityDifferences(other.identity, lock.identity);
  return new AnnealError(
    'ANL-2001',
    { file: lock.operational.configPath, experiment: other.id },
    {
      why: `differs in ${differences.join('; ')}`,
      notSpent: 'nothing was started, 0 tokens spent',
    },
  );
}

/** @param before the lock as it was first stored: date, and digest of what is derived once, stay. */
function write(
  home: DataHome,
  { lock, configText, tasks, harness }: FrozenExperiment,
  before: ExperimentLock,
): ExperimentLock {
  const directory = experimentDirectory(home, lock.id);
  let { policies } = lock.operational;
  if (lock.identity.models.solver.provider === 'simulated') {
    policies = join(directory.sealed, 'policies.json');
    // First of all: a task that cannot be simulated leaves no trace of the experiment.
    if (!existsSync(policies)) writePolicyBook(policies, buildPolicyBook(policySources(tasks)));
  }
  for (const folder of [directory.root, directory.records, directory.sealed, directory.reports]) {
    mkdirSync(folder, { recursive: true });
  }
  const fileDigests: Record<string, Sha256> = { [relative(directory.root, directory.config)]: byteDigest(configText) };
  if (policies !== null) {
    const name = relative(directory.root, policies);
    fileDigests[name] = before.operational.fileDigests?.[name] ?? byteDigest(readFileSync(policies));
  }
  const operational = { ...lock.operational, policies, fileDigests };
  const stored = { ...lock, createdAt: before.createdAt, operational };
  writeFileSync(directory.config, configText);
  const h0 = join(directory.root, 'h0');
  mkdirSync(h0, { recursive: true });
  for (const name of harnessFileNames) writeFileSync(join(h0, name), harness[name]);
  writeFileSync(`${directory.lock}.part`, `${JSON.stringify(stored, null, 2)}\n`);
  renameSync(`${directory.lock}.part`, directory.lock);
  return stored;
}

function policySources(tasks: FrozenExperiment['tasks']): PolicySource[] {
  return [...tasks.values()].map(({ id, path, instruction, toml }) => ({
    id,
    path,
    instruction,
    modality: toml.metadata.modality,
  }));
}
