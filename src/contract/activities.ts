import type { Draw } from '../schema/draw.ts';
import type { Arm } from '../schema/experiment-config.ts';
import type { Budgets } from '../schema/budgets.ts';
import type { AttemptKey, ArmName, CommitHash, ExperimentId, HarnessDigest, TaskId } from '../schema/ids.ts';
import type { HaltKind } from '../schema/halt.ts';
import type { Role } from '../schema/lease.ts';
import type { Outcome } from '../schema/outcome.ts';
import type { Modality, Split } from '../schema/splits.ts';
import type {
  BlobRef,
  CallModel,
  CallModelResult,
  Derive,
  DeriveResult,
  FeedbackResult,
  FileOverlay,
  Finding,
  HarnessFile,
} from '../updaters/step-machine.ts';

/** A revision as every effect names it. `candidate` 0 is H0. */
export interface Revision {
  readonly candidate: number;
  readonly commit: CommitHash;
  readonly digest: HarnessDigest;
}

/** Part of the protocol that an attempt is made for; it stands in the record, not in the attempt's key. */
export type Phase = 'baseline' | 'search' | 'final';

/** What the workflows need of a frozen config: references and small numbers only. */
export interface ExperimentPlan {
  readonly experimentId: ExperimentId;
  readonly seed: number;
  readonly h0: Revision;
  readonly h0Files: Readonly<Record<HarnessFile, BlobRef>>;
  readonly tasks: readonly PlannedTask[];
  readonly arms: readonly Arm[];
  readonly budgets: Budgets;
}

/** A frozen task as workflows see it: no paths, no text. `wallMs` limits one attempt over all its epochs. */
export interface PlannedTask {
  readonly id: TaskId;
  readonly split: Split;
  readonly modality: Modality;
  readonly leakageGroup: string;
  readonly wallMs: number;
}

/** One revision on one task, once. */
export interface AttemptRequest {
  readonly experimentId: ExperimentId;
  readonly arm: ArmName;
  readonly phase: Phase;
  readonly revision: Revision;
  readonly taskId: TaskId;
  readonly replicate: number;
}

/**
 * An attempt is over, or its epoch is. `counted` uses up one of its retries; `free` (a person stopped it) and `halted` (its
 * model is not asked now) do not.
 */
export interface AttemptEnd {
  readonly outcome: Outcome['kind'];
  readonly solveAgain: 'no' | 'counted' | 'free' | 'halted';
  /** Set with `halted`. */
  readonly haltKind?: HaltKind;
}

/** A model call that has to be made again, as the next round, once its role is asked again. */
export type CallModelEnd = CallModelResult | { readonly kind: 'halted' };

/** Attempts of a pass, all its revisions together, held against the floors of coverage. */
export interface PassCoverage {
  readonly planned: number;
  readonly scored: number;
  /** Without a score because of infrastructure. */
  readonly infrastructure: number;
  /** Of those, the ones that ran and whose judge failed: only a judgement gives them a score. Absent before it was counted. */
  readonly judge?: number;
  /** A revision is below the floor of a split, and infrastructure has a part in it. */
  readonly belowFloor: boolean;
}

/** What the attempts of an experiment tell about the next ones. */
export interface PassForecast {
  /** Wall time of one attempt at the ninetieth percentile, judging included; null before the first score. */
  readonly wallP90Ms: number | null;
  /** Tasks of the pass whose outcome stands: they cost no time. */
  readonly standing: readonly TaskId[];
}

/** A cap over the whole experiment as a search meets it: tokens, or millionths of a dollar. */
export interface SearchAllowance {
  readonly kind: 'solver-tokens' | 'money';
  readonly limit: number;
  readonly used: number;
  /** Held for the final test. */
  readonly finals: number;
  /** Held for arms to come. */
  readonly laterArms: number;
  /** What the search may still spend. */
  readonly left: number;
  /** What one attempt drew so far, null before the first score. */
  readonly perAttempt: Draw | null;
  /** The most that one more call can draw. */
  readonly perCall: number;
  /** What the updater draws for each feedback attempt before it submits; 0 where the cap is not its own. */
  readonly updaterPerAttempt: number;
}

/** What is kept for arms to come: to be worked out for so many of them, or as it was when this search began. */
export type LaterArms =
  | { readonly count: number }
  | { readonly amounts: Readonly<Partial<Record<SearchAllowance['kind'], number>>> };

/** An arm's booking of one disclosure. */
export type QueryBooking =
  | { readonly kind: 'reserved'; readonly query: number }
  /** The same digest was disclosed before in this arm: its number is given again. */
  | { readonly kind: 'repeated'; readonly points: number; readonly exact: number }
  | { readonly kind: 'refused'; readonly used: number; readonly cap: number };

/** What became of a submission; `repeated` where the same bytes were a revision of this arm before, H0 included. */
export type CandidateCommit =
  | { readonly kind: 'committed'; readonly revision: Revision; readonly repeated: boolean }
  /** A new revision beyond the cap: nothing was committed. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'invalid'; readonly findings: readonly Finding[] };

/** One arm's part of an effect. */
export interface ArmRequest {
  readonly experimentId: ExperimentId;
  readonly arm: ArmName;
}

/** An epoch whose judge failed, and which judgement of it comes next: 2 for the first repetition. */
export interface JudgeAgain {
  readonly key: AttemptKey;
  readonly epoch: number;
  readonly judgement: number;
}

/** A revision that the finals may be run with, under the label it goes by. */
export interface FrozenChampion {
  readonly arm: ArmName;
  readonly label: 'gated' | 'bestEvolved';
  readonly revision: Revision;
}

/**
 * Every effect of the engine. All are idempotent by the key named: a repeated activity finds the effect done and
 * returns its recorded result. Failures that a retry can mend are thrown as retryable; whatever decides a number is a value.
 */
export interface Activities {
  /** Key: experiment. Registers budgets and models with the gateway, commits H0, records the plan. Heartbeats. */
  prepareExperiment(input: { readonly experimentId: ExperimentId }): Promise<ExperimentPlan>;

  /**
   * Key: attempt key and epoch. Runs, judges and records one attempt; each of the three is an effect of its own in the
   * ledger, so a repeated activity goes on where the last one ended and adopts a keeper that still runs. `solveAgain`
   * only after an infrastructure failure of the run, or where nothing was started since the model is halted. A cancelled
   * one stops its keeper and closes its lease; a worker that shuts down leaves both to the next try. Heartbeats.
   */
  performAttempt(input: AttemptRequest): Promise<AttemptEnd>;

  /** Key: none, pure over records. What a pass would take; `revision` null for one that is not committed yet. Short. */
  forecastPass(input: {
    readonly experimentId: ExperimentId;
    readonly revision: Revision | null;
    readonly taskIds: readonly TaskId[];
    readonly replicate: number;
  }): Promise<PassForecast>;

  /**
   * Key: none, sets what holds now. Holds back, of every cap over the whole experiment, what the final test and arms to
   * come need, as the attempts so far tell it. Empty without caps. Short.
   */
  holdShare(input: {
    readonly experimentId: ExperimentId;
    readonly laterArms: LaterArms;
  }): Promise<readonly SearchAllowance[]>;

  /**
   * Key: its evidence. The feedback evidence of a pass, projected for the updater and put on record as received; tasks
   * without a score are told as missing. Short.
   */
  collectFeedback(input: {
    readonly experimentId: ExperimentId;
    readonly arm: ArmName;
    readonly revision: Revision;
    readonly taskIds: readonly TaskId[];
    readonly replicate: number;
  }): Promise<FeedbackResult>;

  /**
   * Key: arm, step key and action. One metered call as the updater's model; prompt and reply are put on record, the reply is
   * stored before this returns. `round` counts from 1 and rises each time the role was halted meanwhile. A cancelled one is
   * charged at its bound; a worker that shuts down leaves its lease to the next try. Heartbeats.
   */
  callModel(
    input: ArmRequest & { readonly stepKey: string; readonly action: CallModel; readonly round: number },
  ): Promise<CallModelEnd>;

  /**
   * Key: none. Returns when the role's model is asked again: at once where it is not halted, else after a resume or at the
   * halt's own end. Beginning and end of each halt are recorded. May take days; heartbeats.
   */
  untilServed(input: { readonly experimentId: ExperimentId; readonly role: Role }): Promise<void>;

  /** Key: none, pure over records. What a pass over whole splits came to, replicate 0. Short. */
  checkPass(input: {
    readonly experimentId: ExperimentId;
    readonly revisions: readonly Revision[];
    readonly splits: readonly Split[];
  }): Promise<PassCoverage>;

  /** Key: what it makes. A named pure function over blobs; the texts it makes are put on record as the updater's. Short. */
  derive(input: ArmRequest & { readonly action: Derive }): Promise<DeriveResult>;

  /**
   * Key: arm and candidate number. Overlay on the parent's files, checks of name, size and text, commit, its record. The same
   * bytes as an earlier revision are that revision. Short.
   */
  commitCandidate(
    input: ArmRequest & {
      readonly candidate: number;
      /** Candidates that the arm may have. */
      readonly candidateCap: number;
      readonly parent: Revision;
      readonly files: FileOverlay;
      readonly earlier: readonly Revision[];
    },
  ): Promise<CandidateCommit>;

  /** Key: arm, revision, selection set. Books one disclosure; a digest that was disclosed gives its number again. Short. */
  reserveQuery(input: ArmRequest & { readonly revision: Revision }): Promise<QueryBooking>;

  /**
   * Key: as the reservation. Folds the selection pass; discloses at or above selection's floor, else releases. `interrupted`: the
   * search ended meanwhile, released whatever the coverage. Short.
   */
  discloseQuery(
    input: ArmRequest & { readonly revision: Revision; readonly query: number; readonly interrupted?: boolean },
  ): Promise<
    | { readonly kind: 'disclosed'; readonly points: number; readonly exact: number }
    | { readonly kind: 'released'; readonly why: string }
  >;

  /** Key: arm and label. Tags the champions and records their digests; once. Short. */
  freezeChampions(input: {
    readonly experimentId: ExperimentId;
    readonly champions: readonly FrozenChampion[];
  }): Promise<void>;

  /** Key: `id`. A line of the decision record. Short. */
  recordDecision(input: {
    readonly experimentId: ExperimentId;
    readonly id: string;
    readonly arm: ArmName | null;
    readonly event: string;
    readonly reason: string;
    readonly figures: Readonly<Record<string, number | string | null>>;
  }): Promise<void>;

  /**
   * Key: attempt key, epoch and number of the judgement. Judges the collected outputs again where judging failed, never
   * solves again; the judgement stands beside the earlier one. Other judges than the frozen ones: ANL-2004. Heartbeats.
   */
  rejudgeAttempt(
    input: { readonly experimentId: ExperimentId } & JudgeAgain,
  ): Promise<{ readonly outcome: Outcome['kind'] }>;

  /** Key: experiment. Writes the report of a closed experiment anew; nothing for an open one. Heartbeats. */
  refreshReport(input: { readonly experimentId: ExperimentId }): Promise<void>;

  /** Key: experiment. Ends what a workflow that is gone left running, then as `writeReport`; may be repeated. Heartbeats. */
  closeExperiment(input: { readonly experimentId: ExperimentId }): Promise<void>;

  /**
   * Key: experiment. Ends what is still under way and closes its leases, projects ledger totals, opens the sealed records,
   * closes the experiment and writes its report's files; may be repeated. Heartbeats.
   */
  writeReport(input: { readonly experimentId: ExperimentId; readonly ended: 'complete' | 'cancelled' }): Promise<void>;
}
