import type { HarnessFiles } from '../schema/harness.ts';
import type { CommitHash, ExperimentId, HarnessDigest, TaskId } from '../schema/ids.ts';
import type { ExperimentLock, LockedTask } from '../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../schema/record.ts';
import type { BlobRef } from '../updaters/step-machine.ts';

/** Content-addressed bytes. Writes are idempotent; reads check the digest (ANL-6001). */
export interface BlobPort {
  put(bytes: Uint8Array | string): Promise<BlobRef>;
  putJson(value: unknown): Promise<BlobRef>;
  get(sha256: string): Promise<Buffer>;
  getText(sha256: string): Promise<string>;
  getJson(sha256: string): Promise<unknown>;
}

/** The bare repository of all revisions; same files, parent and trailers give the same commit. */
export interface HarnessRepositoryPort {
  initialise(): Promise<void>;
  commit(
    files: HarnessFiles,
    subject: string,
    trailers: Readonly<Record<string, string>>,
    parent: CommitHash | null,
  ): Promise<CommitHash>;
  /** A ref that already points to `commit` is fine; to another: ANL-6004. */
  publish(ref: string, commit: CommitHash): Promise<void>;
  /** The commit that a ref points to, null where there is none. */
  resolve(ref: string): Promise<CommitHash | null>;
  files(commit: CommitHash): Promise<HarnessFiles>;
}

/** A task as an attempt needs it. */
export interface TaskView {
  readonly locked: LockedTask;
  /** Host directory of the Harbor task. */
  readonly path: string;
  readonly instruction: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly copies: readonly { readonly source: string; readonly destination: string }[];
  readonly inputNames: readonly string[];
}

/** What the data home holds of an experiment. */
export interface ExperimentPort {
  lock(id: ExperimentId): Promise<ExperimentLock>;
  /** @throws ANL-2004 when the task directory no longer has its locked digest. */
  task(id: ExperimentId, taskId: TaskId): Promise<TaskView>;
  /** The files of H0 as stored when the experiment was frozen. */
  h0(id: ExperimentId): Promise<{ readonly files: HarnessFiles; readonly digest: HarnessDigest }>;
  digestOf(files: HarnessFiles): HarnessDigest;
  /** Strings that stand in sealed files only. */
  canaries(id: ExperimentId): Promise<readonly string[]>;
  /** State directory of one epoch: the keeper's log and results until its record is written. */
  stateDirectory(key: string, epoch: number): string;
  /** Remove a state directory; absent is fine. */
  removeStateDirectory(path: string): Promise<void>;
  /** Write an experiment's report files from its records; may be repeated. */
  writeReports(lock: ExperimentLock, records: readonly ExperimentRecord[]): Promise<void>;
  /** Append what is new in `records` to the experiment's JSONL files; a damaged tail is cut first. Idempotent. */
  project(
    lock: ExperimentLock,
    records: readonly { readonly seq: number; readonly sealed: boolean; readonly body: unknown }[],
  ): Promise<void>;
  /** Last `seq` that the JSONL files hold, 0 for none. */
  projectedSeq(lock: ExperimentLock): Promise<number>;
  /** Open the sealed records: they stand beside the others from now on. Idempotent. */
  openSealed(lock: ExperimentLock): Promise<void>;
}
