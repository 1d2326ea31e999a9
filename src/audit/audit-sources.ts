import { isClosed as closes } from '../domain/is-closed.ts';
import { inRecordOrder } from '../domain/record-order.ts';
import type { LedgerReader } from '../contract/ledger-reader.ts';
import type { ExperimentLock, LockedTask } from '../schema/experiment-lock.ts';
import type { HarnessFiles } from '../schema/harness.ts';
import type { StoredRecord } from '../schema/gateway.ts';
import type { CommitHash, HarnessDigest, Sha256 } from '../schema/ids.ts';
import { ExperimentRecord } from '../schema/record.ts';

/** One line of an experiment's record files. */
export interface RecordLine {
  /** Name of the file, for example `attempts.jsonl`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** null where the line has none. */
  readonly seq: number | null;
  /** The record without `seq`; null for a line that is no record. */
  readonly record: ExperimentRecord | null;
  /** What stands there, without `seq`. */
  readonly body: unknown;
}

/** A task directory as it is now. */
export interface AuditedTask {
  readonly locked: LockedTask;
  /** Digest of the directory now; null where it cannot be read. */
  readonly digest: Sha256 | null;
  readonly instruction: string;
  readonly inputNames: readonly string[];
  /** Whether a simulated solver's policy of it is derived from its evaluation keys. */
  readonly policyFromKeys: boolean;
}

/** Everything that an audit reads. Nothing is written. */
export interface AuditSources {
  readonly lock: ExperimentLock;
  readonly lines: readonly RecordLine[];
  /** The records of the ledger, which the files are a projection of. */
  readonly stored: readonly StoredRecord[];
  readonly ledger: LedgerReader;
  /** Bytes of a blob, unchecked; null where there is none. */
  readonly blob: (sha256: string) => Promise<Buffer | null>;
  /** The commit that a ref names, null without one. */
  readonly resolve: (ref: string) => Promise<CommitHash | null>;
  /** Every ref of this experiment, tags of champions included. */
  readonly refs: readonly string[];
  /** The files of a commit, null where it is not there. */
  readonly files: (commit: CommitHash) => Promise<HarnessFiles | null>;
  /** What a commit object says of itself, null where it is not there. */
  readonly describe: (
    commit: CommitHash,
  ) => Promise<{ readonly parents: readonly CommitHash[]; readonly trailers: Readonly<Record<string, string>> } | null>;
  readonly harnessDigest: (files: HarnessFiles) => HarnessDigest;
  readonly sha256: (bytes: Uint8Array | string) => Sha256;
  readonly tasks: readonly AuditedTask[];
  /** Strings that stand in sealed files only. */
  readonly canaries: readonly string[];
  /** Files of the experiment's folder that are not there. */
  readonly missing: readonly string[];
  /** Those that are there and are not the bytes that a digest was frozen of. */
  readonly changed: readonly string[];
  /** Digest of H0 as the folder keeps it, null where it cannot be read. */
  readonly h0: HarnessDigest | null;
  /** Version of the engine that audits. */
  readonly engine: string;
  /** What stands in its folder of reports, by file name. */
  readonly reports: ReadonlyMap<string, string>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The records that the files hold, in order. */
export function recordsOf({ lines }: Pick<AuditSources, 'lines'>): ExperimentRecord[] {
  return inRecordOrder(lines).flatMap(({ record }) => (record === null ? [] : [record]));
}

/** Records of one kind. */
export function recordsOfKind<Kind extends ExperimentRecord['kind']>(
  sources: Pick<AuditSources, 'lines'>,
  kind: Kind,
): Extract<ExperimentRecord, { kind: Kind }>[] {
  return recordsOf(sources).filter(
    (record): record is Extract<ExperimentRecord, { kind: Kind }> => record.kind === kind,
  );
}

/** The records that the ledger holds, in order; what is none is left out. */
export function storedRecordsOf({ stored }: Pick<AuditSources, 'stored'>): ExperimentRecord[] {
  return stored.flatMap(({ body }) => {
    const parsed = ExperimentRecord.safeParse(body);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Whether it ran to its end: closed, and neither cancelled nor closed by hand. */
export function isComplete(sources: Pick<AuditSources, 'stored'>): boolean {
  return storedRecordsOf(sources).some(
    (record) => record.kind === 'decision' && record.event === 'experiment-closed' && record.reason === 'complete',
  );
}

/** Whether the experiment is closed, by the ledger: a line that somebody took out of a file opens nothing again. */
export function isClosed({ stored }: Pick<AuditSources, 'stored'>): boolean {
  return closes(stored.flatMap(({ body }) => (body === null ? [] : [body as ExperimentRecord])));
}
