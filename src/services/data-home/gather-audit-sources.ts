import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BlobStore } from '../../adapters/blob-store.ts';
import { byteDigest } from '../../adapters/byte-digest.ts';
import { ExperimentStore } from '../../adapters/experiment-store.ts';
import { harnessDigest, readHarnessDirectory } from '../../adapters/harness-files.ts';
import { HarnessRepository } from '../../adapters/harness-repository.ts';
import { inputNames } from '../../adapters/input-names.ts';
import { openLedgerReader } from '../../adapters/ledger-reader.ts';
import { readTaskDirectory } from '../../adapters/task-directory.ts';
import { treeDigest } from '../../adapters/tree-digest.ts';
import type { AuditSources, AuditedTask, RecordLine } from '../../audit/audit-sources.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { harnessFileNames } from '../../schema/harness.ts';
import { ExperimentRecord } from '../../schema/record.ts';
import type { HarnessDigest } from '../../schema/ids.ts';
import type { DataHome } from './data-home.ts';
import { engineVersion } from '../engine-version.ts';
import { experimentDirectory, type ExperimentDirectory } from './experiment-directory.ts';
import { readRecordLines } from './read-record-lines.ts';

/**
 * Everything that an audit of one experiment reads, from the files of its data home alone: no service has to run.
 * `close` the ledger when done. @throws AnnealError ANL-6001 without a ledger, ANL-2003 for one of another version.
 */
export async function gatherAuditSources(home: DataHome, lock: ExperimentLock): Promise<AuditSources> {
  const ledger = openLedgerReader(home.ledger);
  const blobs = new BlobStore(home.blobs);
  const repository = new HarnessRepository(home.harnessRepository);
  const experiments = new ExperimentStore(home.experiments, home.attempts, async () => {});
  const directory = experimentDirectory(home, lock.id);
  // Files first: what they hold, the ledger held before.
  const texts = readRecordLines(directory);
  ledger.standStill();
  return {
    lock,
    lines: texts.map(({ file, line, text }) => lineOf(basename(file), line, text)),
    stored: ledger.records(lock.id),
    ledger,
    blob: (sha256) => readFile(blobs.path(sha256)).catch(() => null),
    resolve: (ref) => repository.resolve(ref),
    refs: await repository.refs([`refs/anneal/${lock.id}`, `refs/tags/anneal/${lock.id}`]),
    files: (commit) => repository.files(commit).catch(() => null),
    describe: (commit) => repository.describe(commit),
    harnessDigest,
    sha256: byteDigest,
    tasks: tasksOf(lock),
    canaries: await experiments.canaries(lock.id),
    missing: missingFiles(directory, lock),
    changed: changedFiles(directory, lock),
    h0: h0Of(directory),
    engine: engineVersion(),
    reports: reportsOf(directory),
    now: Date.now(),
  };
}

function lineOf(file: string, line: number, text: string): RecordLine {
  try {
    const { seq, ...body } = JSON.parse(text) as { readonly seq?: unknown };
    const record = ExperimentRecord.safeParse(body);
    return {
      file,
      line,
      seq: typeof seq === 'number' ? seq : null,
      record: record.success ? record.data : null,
      body,
    };
  } catch {
    return { file, line, seq: null, record: null, body: null };
  }
}

function tasksOf({ identity, operational }: ExperimentLock): AuditedTask[] {
  return identity.tasks.map((locked) => {
    const path = operational.taskDirectories[locked.id] ?? '';
    try {
      const { instruction, toml } = readTaskDirectory(locked.id, path);
      const policyFromKeys = toml.metadata.simulated_policy !== undefined;
      return { locked, digest: treeDigest(path), instruction, inputNames: inputNames(path), policyFromKeys };
    } catch {
      return { locked, digest: null, instruction: '', inputNames: [], policyFromKeys: false };
    }
  });
}

/** Files that an experiment has from its start and that are not there, as they stand below its folder. */
function missingFiles({ root }: ExperimentDirectory, { operational }: ExperimentLock): string[] {
  const names = [
    'config.yaml',
    ...harnessFileNames.map((name) => join('h0', name)),
    ...(operational.policies === null ? [] : [join('sealed', 'policies.json')]),
  ];
  return names.filter((name) => !existsSync(join(root, name)));
}

/** Files that are not the bytes whose digest the lock has; experiments of before there were such digests have none. */
function changedFiles({ root }: ExperimentDirectory, { operational }: ExperimentLock): string[] {
  return Object.entries(operational.fileDigests ?? {}).flatMap(([name, digest]) => {
    const path = join(root, name);
    return existsSync(path) && (!statSync(path).isFile() || byteDigest(readFileSync(path)) !== digest) ? [name] : [];
  });
}

/** Digest of H0 as the experiment keeps it, null where it cannot be read. */
function h0Of({ root }: ExperimentDirectory): HarnessDigest | null {
  try {
    return harnessDigest(readHarnessDirectory(join(root, 'h0')));
  } catch {
    return null;
  }
}

function reportsOf({ reports }: ExperimentDirectory): ReadonlyMap<string, string> {
  const names = existsSync(reports) ? readdirSync(reports, { withFileTypes: true }) : [];
  return new Map(
    names
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map(({ name }) => [name, readFileSync(join(reports, name), 'utf8')]),
  );
}
