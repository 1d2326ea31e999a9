import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { execa } from 'execa';
import Database from 'libsql';
import type { Audit } from '../../src/audit/audit-experiment.ts';
import { runAudit } from '../../src/cli/run-audit.ts';
import { HarnessRepository } from '../../src/adapters/harness-repository.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import { ExperimentRecord } from '../../src/schema/record.ts';
import type { CommitHash } from '../../src/schema/ids.ts';
import { type DataHome, dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { memoryFolder } from './memory-folder.ts';
import { experimentDirectory } from '../../src/services/data-home/experiment-directory.ts';
import { CommandLine } from './command-line.ts';

const copied = ['ledger.db', 'ledger.db-wal', 'blobs', 'harness.git', 'experiments'];

/** Any record as it may be forged. */
type Forged = Record<string, unknown>;

/** A copy of what a finished experiment left, to be forged: files and ledger, no process. */
export class EvidenceCopy {
  readonly home: DataHome;
  readonly lock: ExperimentLock;

  constructor(original: DataHome, lock: ExperimentLock) {
    const root = realpathSync(mkdtempSync(join(memoryFolder(), 'anneal-evidence-')));
    for (const name of copied) {
      const from = join(original.root, name);
      if (readdirSync(original.root).includes(name)) cpSync(from, join(root, name), { recursive: true });
    }
    for (const name of ['python', 'packs']) symlinkSync(join(original.root, name), join(root, name));
    this.home = dataHomeAt(root);
    this.lock = lock;
  }

  /** A copy for as long as it is used. */
  static async during(
    original: DataHome,
    lock: ExperimentLock,
    use: (copy: EvidenceCopy) => Promise<void>,
  ): Promise<void> {
    const copy = new EvidenceCopy(original, lock);
    try {
      await use(copy);
    } finally {
      copy.remove();
    }
  }

  get folder(): string {
    return experimentDirectory(this.home, this.lock.id).root;
  }

  remove(): void {
    rmSync(this.home.root, { recursive: true, force: true });
    rmSync(this.home.staging, { recursive: true, force: true });
  }

  async audit(): Promise<Audit> {
    return runAudit(this.home, this.lock);
  }

  /** A command over this copy: exit code and what it printed. */
  async tell(command: string): ReturnType<CommandLine['run']> {
    const line = new CommandLine({ environment: { ANNEAL_HOME: this.home.root }, audit: runAudit });
    try {
      return await line.run(command);
    } finally {
      line.remove();
    }
  }

  /** Change the harness repository in any way. */
  async git(parameters: readonly string[]): Promise<void> {
    await execa('git', ['--git-dir', this.home.harnessRepository, ...parameters]);
  }

  /** Change the ledger in any way, its guards taken away. */
  sql(statement: string, parameters: readonly unknown[] = []): void {
    const database = new Database(this.home.ledger);
    try {
      database.exec(
        'PRAGMA foreign_keys = OFF; DROP TRIGGER IF EXISTS call_is_kept; DROP TRIGGER IF EXISTS call_changes_once;',
      );
      database.prepare(statement).run([...parameters]);
    } finally {
      database.close();
    }
  }

  /** Change the first record that fits, in the files alone or in the ledger too. */
  forge(
    fits: (record: ExperimentRecord) => boolean,
    change: (record: Forged) => Forged,
    where: 'files' | 'both',
  ): void {
    for (const file of this.recordFiles()) {
      const lines = readFileSync(file, 'utf8').split('\n');
      const index = lines.findIndex((line) => line !== '' && fits(ExperimentRecord.parse(JSON.parse(line))));
      if (index < 0) continue;
      const { seq, ...body } = JSON.parse(lines[index] ?? '') as { readonly seq: number };
      const forged = change(structuredClone(body));
      lines[index] = JSON.stringify({ seq, ...forged });
      writeFileSync(file, lines.join('\n'));
      if (where === 'both') {
        const statement = 'UPDATE record SET body = ? WHERE experiment = ? AND seq = ?';
        this.sql(statement, [JSON.stringify(forged), this.lock.id, seq]);
      }
      return;
    }
    throw new Error('no record fits');
  }

  /** Add a record to ledger and files. */
  append(file: string, body: Forged, key: string): void {
    const seq = 1 + this.records().length;
    const path = join(this.folder, 'records', file);
    writeFileSync(path, `${readFileSync(path, 'utf8')}${JSON.stringify({ seq, ...body })}\n`);
    const statement = "INSERT INTO record (experiment, seq, stream, key, body) VALUES (?, ?, 'open', ?, ?)";
    this.sql(statement, [this.lock.id, seq, key, JSON.stringify(body)]);
  }

  /** Take the line of one record out of its file, wherever it stands. */
  dropLine(seq: number): void {
    for (const file of this.recordFiles()) {
      const lines = readFileSync(file, 'utf8').split('\n');
      const kept = lines.filter((line) => line === '' || (JSON.parse(line) as { readonly seq: number }).seq !== seq);
      if (kept.length < lines.length) writeFileSync(file, kept.join('\n'));
    }
  }

  /** Let a record of the ledger be of another time. */
  touch(seq: number, at: string): void {
    const statement = "UPDATE record SET body = json_set(body, '$.at', ?) WHERE experiment = ? AND seq = ?";
    this.sql(statement, [at, this.lock.id, seq]);
  }

  records(): ExperimentRecord[] {
    return this.recordFiles().flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => ExperimentRecord.parse(JSON.parse(line))),
    );
  }

  /** Store bytes under their digest. */
  put(bytes: string | Uint8Array): string {
    const digest = createHash('sha256').update(bytes).digest('hex');
    const folder = join(this.home.blobs, 'sha256', digest.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, digest), bytes);
    return digest;
  }

  blobPath(digest: string): string {
    return join(this.home.blobs, 'sha256', digest.slice(0, 2), digest);
  }

  /** A candidate whose playbook is another one, with the record and the ref that belong to it. */
  async forgePlaybook(text: string): Promise<void> {
    const repository = new HarnessRepository(this.home.harnessRepository);
    const revision = this.records().find((record) => record.kind === 'revision' && record.candidate === 1);
    if (revision?.kind !== 'revision') throw new Error('no candidate');
    const files = await repository.files(revision.commit);
    const forged = { ...files, 'playbook.md': Buffer.from(text) };
    const commit: CommitHash = await repository.commit(forged, 'forged', {}, revision.parent);
    this.forge(
      (record) => record.kind === 'revision' && record.candidate === 1,
      (record) => ({ ...record, commit }),
      'both',
    );
  }

  private recordFiles(): string[] {
    const { records, sealed } = experimentDirectory(this.home, this.lock.id);
    return [records, sealed].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => join(folder, name)),
    );
  }
}
