import { canonicalAttempts } from '../../domain/canonical-attempts.ts';
import type { CallRow } from '../../schema/call-row.ts';
import { isSimulated, worldOf, type ExperimentLock } from '../../schema/experiment-lock.ts';
import type { JudgeReport } from '../../schema/judgement.ts';
import type { LeaseUsage } from '../../schema/lease.ts';
import type { Outcome, RunClass } from '../../schema/outcome.ts';
import type { AttemptRecord, ExperimentRecord, JudgementRecord } from '../../schema/record.ts';
import { labelsOf } from '../layout/labels.ts';
import { revisionsOf } from '../revisions.ts';

/** An epoch as the gateway holds it. Times in milliseconds, `openedAt` since 1970. */
export interface LedgerEpoch {
  readonly attemptKey: string;
  readonly epoch: number;
  readonly lease: number;
  readonly state: 'open' | 'closed' | 'fenced';
  readonly openedAt: number;
  readonly elapsedMs: number;
  readonly elapsedBeforeMs: number;
}

/** A command of the solver, as the keeper logged it. */
export interface LoggedCommand {
  readonly n: number;
  readonly command: string;
  readonly returncode: number | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** What it gave when it was run again in this epoch; null where it ran here for the first time. */
  readonly rerun: { readonly returncode: number | null } | null;
}

/** One request attempt, in short. */
export interface StoryCall {
  readonly call: number;
  readonly retry: number;
  readonly state: CallRow['state'];
  readonly at: string;
  readonly milliseconds: number | null;
  readonly reportedInput: number | null;
  readonly reportedOutput: number | null;
  readonly charged: number | null;
  /** Millionths of a dollar; null without a price. */
  readonly chargedMicroUsd: number | null;
  readonly fault: string | null;
  readonly code: string | null;
  readonly served: string | null;
}

/**
 * One judging of what an epoch left. `at` is ISO 8601; `judges` is the judges' digest, null where the record names none.
 */
export interface StoryJudgement {
  /** 1 for the first. */
  readonly judgement: number;
  readonly at: string;
  readonly outcome: Outcome;
  readonly judges: string | null;
  /** null where there is no report. */
  readonly report: JudgeReport | null;
}

/** One sandbox life of the attempt; 1 is the start, more are restarts. */
export interface StoryEpoch {
  readonly epoch: number;
  readonly openedAt: string | null;
  readonly recordedAt: string | null;
  /** Supervisors that had it, one after the other; null where the ledger cannot be read. */
  readonly leases: number | null;
  readonly leaseState: LedgerEpoch['state'] | null;
  /** Wall time of earlier epochs that counts against this one. */
  readonly elapsedBeforeMs: number | null;
  /** null while it runs. */
  readonly runClass: RunClass | null;
  readonly outcome: Outcome | null;
  readonly usage: LeaseUsage | null;
  readonly wallMs: number | null;
  readonly sandbox: AttemptRecord['sandbox'] | null;
  readonly phases: Readonly<Record<string, number>>;
  readonly calls: readonly StoryCall[];
  readonly commands: readonly LoggedCommand[];
  readonly judgements: readonly StoryJudgement[];
  readonly harnessLog: readonly string[];
  readonly blobs: Readonly<Record<string, string>>;
}

/** `anneal show ATTEMPT --json`, version 1. */
export interface AttemptStory {
  readonly version: 1;
  readonly experiment: string;
  readonly simulated: boolean;
  readonly world: string | null;
  readonly labels: readonly string[];
  readonly key: string;
  readonly task: string;
  readonly split: string;
  readonly modality: string;
  /** Name within its arm, and digest. */
  readonly revision: { readonly name: string; readonly digest: string };
  /** Arm that asked for it first; null while it runs for the first time. */
  readonly arm: string | null;
  readonly phase: string | null;
  readonly replicate: number;
  /** What counts; null while it runs. */
  readonly outcome: Outcome | null;
  readonly epochs: readonly StoryEpoch[];
}

/** Which attempt is told: one revision on one task, once. */
export interface ToldAttempt {
  readonly key: string;
  readonly task: string;
  readonly revision: string;
  readonly replicate: number;
}

/** Texts behind an epoch's record. */
export interface EpochTexts {
  readonly commands: readonly LoggedCommand[];
  readonly harnessLog: readonly string[];
  /** The report of each judgement by its number. */
  readonly reports: ReadonlyMap<number, JudgeReport>;
}

/** What a story is read from; `texts` are those behind each epoch, by its number. */
export interface StorySources {
  readonly lock: ExperimentLock;
  readonly records: readonly ExperimentRecord[];
  /** Empty where the ledger cannot be read. */
  readonly epochs: readonly LedgerEpoch[];
  readonly calls: readonly CallRow[];
  readonly texts: ReadonlyMap<number, EpochTexts>;
}

/** Everything that is on record of one attempt, in the order in which it happened. */
export function attemptStory(attempt: ToldAttempt, sources: StorySources): AttemptStory {
  const { lock, records } = sources;
  const { key, task, revision, replicate } = attempt;
  const own = records.filter((record) => record.kind === 'attempt').filter((record) => record.key === key);
  const leases = sources.epochs.filter((epoch) => epoch.attemptKey === key);
  const locked = lock.identity.tasks.find(({ id }) => id === task);
  const numbers = [...new Set([...own.map(({ epoch }) => epoch), ...leases.map(({ epoch }) => epoch)])];
  const standing = canonicalAttempts(records).all.find((record) => record.key === key);
  return {
    version: 1,
    experiment: lock.id,
    simulated: isSimulated(lock.identity),
    world: worldOf(lock.identity),
    labels: labelsOf(lock),
    key,
    task,
    split: locked?.split ?? 'unknown',
    modality: locked?.modality ?? 'unknown',
    revision: { name: revisionNameOf(lock, records, revision), digest: revision },
    arm: own[0]?.arm ?? null,
    phase: own[0]?.phase ?? null,
    replicate,
    outcome: standing?.outcome ?? null,
    epochs: numbers
      .toSorted((left, right) => left - right)
      .map((epoch) =>
        storyEpoch(
          epoch,
          own.find((record) => record.epoch === epoch),
          leases.find((lease) => lease.epoch === epoch),
          sources,
          key,
        ),
      ),
  };
}

function revisionNameOf(lock: ExperimentLock, records: readonly ExperimentRecord[], digest: string): string {
  const { h0, candidates } = revisionsOf(lock, records);
  if (digest === h0.digest) return 'h0';
  const found = candidates.find((candidate) => candidate.digest === digest);
  if (found === undefined) return 'unknown';
  return lock.identity.arms.length > 1 ? `${found.arm} ${found.name}` : found.name;
}

function storyEpoch(
  epoch: number,
  record: AttemptRecord | undefined,
  lease: LedgerEpoch | undefined,
  { records, calls, texts }: StorySources,
  key: string,
): StoryEpoch {
  const text = texts.get(epoch);
  const later = records.filter(
    (other): other is JudgementRecord => other.kind === 'judgement' && other.key === key && other.epoch === epoch,
  );
  const first: StoryJudgement[] =
    record === undefined || (record.runClass.kind !== 'ended' && record.runClass.kind !== 'agent_error')
      ? []
      : [{ judgement: 1, at: record.at, outcome: record.outcome, judges: record.judges, report: null }];
  const judgements = [
    ...first,
    ...later.map(({ judgement, at, outcome, judges }) => ({ judgement, at, outcome, judges, report: null })),
  ].map((entry): StoryJudgement => ({ ...entry, report: text?.reports.get(entry.judgement) ?? null }));
  return {
    epoch,
    openedAt: lease === undefined ? null : new Date(lease.openedAt).toISOString(),
    recordedAt: record?.at ?? null,
    leases: lease?.lease ?? null,
    leaseState: lease?.state ?? null,
    elapsedBeforeMs: lease?.elapsedBeforeMs ?? null,
    runClass: record?.runClass ?? null,
    outcome: record?.outcome ?? null,
    usage: record?.usage ?? null,
    wallMs: record?.wallMs ?? null,
    sandbox: record?.sandbox ?? null,
    phases: record?.phases ?? {},
    calls: calls.filter((call) => call.attemptKey === key && call.epoch === epoch).map(storyCall),
    commands: text?.commands ?? [],
    judgements,
    harnessLog: text?.harnessLog ?? [],
    blobs: record?.blobs ?? {},
  };
}

function storyCall(row: CallRow): StoryCall {
  return {
    call: row.call,
    retry: row.retryIndex,
    state: row.state,
    at: new Date(row.reservedAt).toISOString(),
    milliseconds: row.settledAt === null ? null : Math.max(0, row.settledAt - row.reservedAt),
    reportedInput: row.reportedInput,
    reportedOutput: row.reportedOutput,
    charged: row.charged,
    chargedMicroUsd: row.chargedMicroUsd,
    fault: row.fault,
    code: row.code,
    served: row.servedModel,
  };
}
