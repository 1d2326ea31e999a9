import { rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentPort, TaskView } from '../contract/ports.ts';
import { canaryPattern } from '../domain/canary-pattern.ts';
import { AnnealError } from '../domain/errors.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { HarnessFiles } from '../schema/harness.ts';
import type { ExperimentId, HarnessDigest, TaskId } from '../schema/ids.ts';
import type { ExperimentRecord } from '../schema/record.ts';
import { harnessDigest, readHarnessDirectory } from './harness-files.ts';
import { inputNames } from './input-names.ts';
import { readLockFile } from './lock-file.ts';
import { RecordFiles, type NumberedRecord } from './record-files.ts';
import { readTaskDirectory } from './task-directory.ts';
import { listTree, treeDigest, treeStamp } from './tree-digest.ts';

/** Writes an experiment's report files from its records. */
export type ReportWriter = (
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  folder: string,
) => Promise<void>;

/** The experiments of one data home on disk. Locks are read once per process, tasks whenever a file of theirs changed. */
export class ExperimentStore implements ExperimentPort {
  private readonly experiments: string;
  private readonly attempts: string;
  private readonly writer: ReportWriter;
  private readonly locks = new Map<string, Promise<ExperimentLock>>();
  private readonly tasks = new Map<string, { readonly view: TaskView; readonly stamp: string }>();
  private readonly files = new Map<string, RecordFiles>();
  private readonly sealedStrings = new Map<string, readonly string[]>();

  constructor(experiments: string, attempts: string, writer: ReportWriter) {
    this.experiments = experiments;
    this.attempts = attempts;
    this.writer = writer;
  }

  lock(id: ExperimentId): Promise<ExperimentLock> {
    const known = this.locks.get(id) ?? this.readLock(id);
    this.locks.set(id, known);
    known.catch(() => this.locks.delete(id));
    return known;
  }

  async task(id: ExperimentId, taskId: TaskId): Promise<TaskView> {
    const key = `${id}/${taskId}`;
    const known = this.tasks.get(key);
    if (known !== undefined && treeStamp(known.view.path) === known.stamp) return known.view;
    const lock = await this.lock(id);
    const locked = lock.identity.tasks.find((task) => task.id === taskId);
    const path = lock.operational.taskDirectories[taskId];
    if (locked === undefined || path === undefined) throw new AnnealError('ANL-1201', { task: taskId });
    const stamp = treeStamp(path);
    const directory = readTaskDirectory(taskId, path);
    if (treeDigest(path) !== locked.digest) {
      throw new AnnealError(
        'ANL-2004',
        { experiment: id, file: path },
        {
          at: [{ file: path }],
          why: `task ${taskId} is not what was frozen`,
          next: `restore ${path}     the experiment then goes on by itself; or: anneal cancel ${id}`,
          notSpent: 'no attempt starts from what changed, 0 tokens spent',
        },
      );
    }
    const view: TaskView = {
      locked,
      path,
      instruction: directory.instruction,
      workdir: directory.image.workdir,
      environment: directory.image.environment,
      copies: directory.image.copies,
      inputNames: inputNames(path),
    };
    this.tasks.set(key, { view, stamp });
    return view;
  }

  async h0(id: ExperimentId): Promise<{ readonly files: HarnessFiles; readonly digest: HarnessDigest }> {
    const lock = await this.lock(id);
    const files = readHarnessDirectory(join(this.experiments, id, 'h0'));
    const digest = harnessDigest(files);
    if (digest !== lock.identity.harness) {
      throw new AnnealError('ANL-6001', { object: `H0 of ${id}` });
    }
    return { files, digest };
  }

  digestOf(files: HarnessFiles): HarnessDigest {
    return harnessDigest(files);
  }

  async canaries(id: ExperimentId): Promise<readonly string[]> {
    const known = this.sealedStrings.get(id);
    if (known !== undefined) return known;
    const lock = await this.lock(id);
    const found = new Set<string>();
    for (const path of Object.values(lock.operational.taskDirectories)) {
      for (const folder of ['tests', 'solution', 'replays'].filter((name) => existsSync(join(path, name)))) {
        const sealed = join(path, folder);
        for (const name of existsSync(sealed) ? listTree(sealed) : []) {
          for (const [canary] of readFileSync(join(sealed, name), 'latin1').matchAll(canaryPattern)) found.add(canary);
        }
      }
    }
    const canaries = [...found];
    this.sealedStrings.set(id, canaries);
    return canaries;
  }

  stateDirectory(key: string, epoch: number): string {
    return join(this.attempts, `${key.slice(0, 20)}-${epoch}`);
  }

  async removeStateDirectory(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
  }

  async writeReports(lock: ExperimentLock, records: readonly ExperimentRecord[]): Promise<void> {
    await this.writer(lock, records, join(this.experiments, lock.id, 'reports'));
  }

  async project(lock: ExperimentLock, records: readonly NumberedRecord[]): Promise<void> {
    await this.recordFiles(lock.id).append(records);
  }

  async projectedSeq(lock: ExperimentLock): Promise<number> {
    return this.recordFiles(lock.id).lastSeq();
  }

  async openSealed(lock: ExperimentLock): Promise<void> {
    await this.recordFiles(lock.id).openSealed();
  }

  private recordFiles(id: ExperimentId): RecordFiles {
    const known =
      this.files.get(id) ??
      new RecordFiles(join(this.experiments, id, 'records'), join(this.experiments, id, 'sealed'));
    this.files.set(id, known);
    return known;
  }

  private async readLock(id: ExperimentId): Promise<ExperimentLock> {
    return readLockFile(join(this.experiments, id, 'lock.json'));
  }
}
