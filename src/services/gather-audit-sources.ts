import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobStore } from '../adapters/blob-store.ts';
import { ExperimentStore } from '../adapters/experiment-store.ts';
import { harnessDigest } from '../adapters/harness-files.ts';
import { HarnessRepository } from '../adapters/harness-repository.ts';
import { inputNames } from '../adapters/input-names.ts';
import { openLedgerReader } from '../adapters/ledger-reader.ts';
import { readTaskDirectory } from '../adapters/task-directory.ts';
import { treeDigest } from '../adapters/tree-digest.ts';
import type { AuditSources, AuditedTask, RecordLine } from '../audit/audit-sources.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import { ExperimentRecord } from '../schema/record.ts';
import type { Sha256 } from '../schema/ids.ts';
import type { DataHome } from './data-home.ts';
import { experimentDirectory, type ExperimentDirectory } from './experiment-directory.ts';

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
  return {
    lock,
    lines: [directory.records, directory.sealed].flatMap((folder) => linesOf(folder)),
    stored: ledger.records(lock.id),
    ledger,
    blob: (sha256) => readFile(blobs.path(sha256)).catch(() => null),
    resolve: (ref) => repository.resolve(ref),
    files: (commit) => repository.files(commit).catch(() => null),
    harnessDigest,
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex') as Sha256,
    tasks: tasksOf(lock),
    canaries: await experiments.canaries(lock.id),
    report: reportOf(directory),
  };
}

function linesOf(folder: string): RecordLine[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((file) => {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      return lines.flatMap((text, index) => (text === '' ? [] : [lineOf(file, index + 1, text)]));
    });
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
      const { instruction } = readTaskDirectory(locked.id, path);
      return { locked, digest: treeDigest(path), instruction, inputNames: inputNames(path) };
    } catch {
      return { locked, digest: null, instruction: '', inputNames: [] };
    }
  });
}

/** The JSON report as it stands, null without one that can be read. */
function reportOf({ reports }: ExperimentDirectory): unknown {
  const name = existsSync(reports) ? readdirSync(reports).find((file) => /^report.*\.json$/.test(file)) : undefined;
  if (name === undefined) return null;
  try {
    return JSON.parse(readFileSync(join(reports, name), 'utf8'));
  } catch {
    return null;
  }
}
