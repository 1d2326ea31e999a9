import type { Audit } from '../audit/audit-experiment.ts';
import type { LedgerEpoch } from '../report/attempt/attempt-story.ts';
import type { CallRow } from '../schema/call-row.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ExperimentUsage, OpenLease } from '../schema/gateway.ts';
import type { CommitHash } from '../schema/ids.ts';
import type { ImportReport } from '../schema/import-report.ts';
import type { ReplayResult } from '../services/task-packs/audit-tasks.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import type { Check } from '../services/doctor/check.ts';
import type { Engine } from '../services/engine.ts';
import type { Stored } from '../services/freeze/store-experiment.ts';

/** Progress lines of something that takes a while. */
type Narrate = (line: string) => void;

/** An experiment file and how it is to be taken. */
export interface FreezeRequest {
  readonly file: string;
  readonly home: DataHome;
  /** Attempts in flight, instead of the file's. */
  readonly lanes: number | undefined;
  /** Start another experiment although an open one of that name differs. */
  readonly allowNew: boolean;
  readonly isOpen: (lock: ExperimentLock) => Promise<boolean>;
}

/** What the gateway knows of an experiment now. */
export interface LedgerView {
  readonly usage: ExperimentUsage;
  readonly leases: readonly OpenLease[];
}

/** The attempts of an experiment as the ledger holds them, read from its file. */
export interface AttemptLedger {
  /** Epochs of the solver's attempts. */
  readonly epochs: readonly LedgerEpoch[];
  readonly callsOf: (attemptKey: string) => readonly CallRow[];
  readonly close: () => void;
}

/** Everything the commands touch; built once in `main.ts`, faked in tests. */
export interface Dependencies {
  readonly environment: NodeJS.ProcessEnv;
  readonly workingDirectory: string;
  readonly version: string;
  /** Experiment file that `anneal demo` runs. */
  readonly demoFile: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Resolves early when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Run with Ctrl-C caught: it aborts the signal instead of ending the process. `interrupt` does what Ctrl-C does. */
  readonly interruptible: <Value>(
    run: (signal: AbortSignal, interrupt: () => void) => Promise<Value>,
  ) => Promise<Value>;
  readonly createEngine: (home: DataHome) => Promise<Engine>;
  /** Read, check and store an experiment file; nothing is started. */
  readonly freeze: (request: FreezeRequest, narrate: Narrate) => Promise<Stored>;
  /** Read and check an experiment file; nothing is stored or started. */
  readonly preview: (
    request: Pick<FreezeRequest, 'file' | 'home' | 'lanes'>,
    narrate: Narrate,
  ) => Promise<ExperimentLock>;
  /** Totals so far and what is in flight, null when the gateway cannot be asked. */
  readonly ledger: (home: DataHome, lock: ExperimentLock) => Promise<LedgerView | null>;
  readonly diff: (home: DataHome, from: CommitHash, to: CommitHash) => Promise<string>;
  readonly readBlob: (home: DataHome, digest: string) => Promise<Buffer>;
  /** Where a blob lies on this machine. */
  readonly blobPath: (home: DataHome, digest: string) => string;
  /** What the ledger holds of an experiment's attempts, null where there is no ledger; to be closed. */
  readonly attemptLedger: (home: DataHome, lock: ExperimentLock) => Promise<AttemptLedger | null>;
  /** Check an experiment against its records; reads files alone. */
  readonly audit: (home: DataHome, lock: ExperimentLock) => Promise<Audit>;
  readonly doctor: (engine: Engine) => Promise<readonly Check[]>;
  /** Three small calls to each model of an experiment file or a stored experiment. */
  readonly doctorLive: (engine: Engine, wanted: string, narrate: Narrate) => Promise<readonly Check[]>;
  /** Replay every task of a folder, of the built-in pack without one. */
  readonly auditTasks: (
    directory: string | undefined,
    home: DataHome,
    narrate: Narrate,
  ) => Promise<readonly ReplayResult[]>;
  readonly importOfficeBench: (
    request: { readonly source: string; readonly out: string; readonly home: DataHome },
    narrate: Narrate,
  ) => Promise<ImportReport>;
}
