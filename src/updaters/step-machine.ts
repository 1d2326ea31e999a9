import type { HarnessDigest, Sha256, TaskId } from '../schema/ids.ts';
import type { Modality } from '../schema/splits.ts';

/** JSON values: what survives a workflow history unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** A JSON value with named members. */
export type JsonObject = { readonly [key: string]: Json };

/** Bytes behind a digest in the blob store; bodies never travel through actions, results or state. */
export type BlobRef = { readonly sha256: Sha256; readonly bytes: number };

/** Named references; the names are the inputs of a template or function. */
export type Refs = Readonly<Record<string, BlobRef>>;

/** A harness file that an updater may replace. */
export type HarnessFile = 'agent.py' | 'environment.py' | 'systemprompt.md' | 'playbook.md';

/** Files that replace those of the parent revision; the others stay byte for byte. */
export type FileOverlay = Readonly<Partial<Record<HarnessFile, BlobRef>>>;

/** A thing worth telling: `code` is noun-verb and stable, `text` names the place. At most 300 characters of text. */
export type Finding = { readonly code: string; readonly text: string };

/* ---- actions -------------------------------------------------------------------------------------------- */

/** Solve and judge feedback tasks with one revision. Value: `FeedbackPass`. */
export interface RunFeedback {
  readonly kind: 'run-feedback';
  readonly revision: HarnessDigest;
  readonly taskIds: readonly TaskId[];
  readonly replicate: number;
}

/**
 * One metered call of the updater's model, with the sampling and output cap that the experiment pins. The template is
 * rendered with the contents of `refs`. Value: `ModelReply`.
 */
export interface CallModel {
  readonly kind: 'call-model';
  /** The method's own name for the caller, for example `reflector`; the ledger books it under `updater`. */
  readonly role: string;
  readonly templateId: string;
  readonly refs: Refs;
  readonly parameters: JsonObject;
  /** How the reply is parsed: a key of `replySchemas`. */
  readonly schemaId: string;
}

/** A named pure function of `refs` and `parameters`, run outside the workflow. Value: `Derived`. */
export interface Derive {
  readonly kind: 'derive';
  readonly function: string;
  readonly refs: Refs;
  readonly parameters: JsonObject;
}

/** An agent session in jails with evidence read-only and a candidate folder writable. Value: `SessionEnd`. */
export interface RunSession {
  readonly kind: 'run-session';
  readonly role: string;
  readonly templateId: string;
  readonly mounts: Refs;
  readonly refs: Refs;
  readonly tools: readonly string[];
  readonly maxTurns: number;
  readonly tokenCap: number;
  readonly wallCapMs: number;
}

/** Checks a revision without submitting it. Value: `Validated`. */
export interface Validate {
  readonly kind: 'validate';
  readonly files: FileOverlay;
  readonly parent: HarnessDigest;
}

/** Validates, commits and measures a revision on selection. Value: `Submitted`. */
export interface Submit {
  readonly kind: 'submit';
  readonly files: FileOverlay;
  readonly parent: HarnessDigest;
  readonly manifest: BlobRef | null;
}

/** A line for the decision record; costs nothing. Value: null. */
export interface Note {
  readonly kind: 'note';
  /** Noun-verb. */
  readonly event: string;
  readonly text: string;
}

/** `done`: there is nothing more to try. Before that, a limit of the arm (`budget`) or a cap over the experiment ended it. */
export type SearchEnd = 'done' | 'budget' | 'cap';

/** Ends the search. Has no result: the engine does not ask again. */
export interface Finish {
  readonly kind: 'finish';
  readonly end: SearchEnd;
  readonly reason: string;
}

/** An action that may stand alone or in a batch. */
export type SingleAction = RunFeedback | CallModel | Derive | RunSession | Validate | Submit | Note;

/** Actions run in parallel; results are applied in list order. At most 24 actions. Value: one result per action. */
export interface Batch {
  readonly kind: 'batch';
  readonly actions: readonly SingleAction[];
}

/** What a search asks of the engine next. */
export type Action = SingleAction | Batch | Finish;

/* ---- values of a result that is ok ---------------------------------------------------------------------- */

/** One feedback task's evidence, already projected for the updater. */
export type TaskEvidence = {
  readonly taskId: TaskId;
  /** A `FeedbackEvidence` document. */
  readonly evidence: BlobRef;
};

/** In task-id order; tasks without a score (infrastructure) are absent. */
export interface FeedbackPass {
  readonly kind: 'feedback-pass';
  readonly revision: HarnessDigest;
  readonly evidence: readonly TaskEvidence[];
}

/** The answer to one call, stored whole and parsed; charged tokens are input plus output. */
export interface ModelReply {
  readonly kind: 'model-reply';
  /** The reply as the model wrote it. */
  readonly text: BlobRef;
  /** What `schemaId` made of it, as JSON. */
  readonly parsed: BlobRef;
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'refusal';
  readonly tokensCharged: number;
  /** Parts of the reply that were dropped. */
  readonly findings: readonly Finding[];
}

/** What a derive function made: texts behind `refs`, small facts in `value`. */
export interface Derived {
  readonly kind: 'derived';
  readonly refs: Refs;
  /** At most 8 KiB as JSON. */
  readonly value: JsonObject;
  readonly findings: readonly Finding[];
}

/** What a session left in its candidate folder, in `files`, and what it cost. */
export interface SessionEnd {
  readonly kind: 'session-end';
  readonly files: FileOverlay;
  readonly manifest: BlobRef | null;
  readonly turns: number;
  readonly tokensCharged: number;
  readonly findings: readonly Finding[];
}

/** The digest that the revision would have; nothing was committed. */
export interface Validated {
  readonly kind: 'validated';
  readonly revision: HarnessDigest;
}

/** `revision` exists as a commit from here on, and feedback may be run with it, evaluated or not. */
export interface Submitted {
  readonly kind: 'submitted';
  readonly revision: HarnessDigest;
  /** Same bytes as an earlier revision of this arm: its number is given again and nothing was used up. */
  readonly repeated: boolean;
  readonly selection:
    /** `delta` is against H0, null where H0 has no number. */
    | { readonly kind: 'disclosed'; readonly points: number; readonly delta: number | null }
    | { readonly kind: 'not-evaluated'; readonly why: string };
}

/* ---- results -------------------------------------------------------------------------------------------- */

/**
 * Which limit refused: `tokens` is the updater's budget, `wall` the arm's search time, `attempts` its failed submissions,
 * `solver-tokens` and `money` the caps over the whole experiment.
 */
export type BudgetKind = 'solver-tokens' | 'money' | 'tokens' | 'wall' | 'candidates' | 'queries' | 'attempts';

interface Failures {
  readonly budgetRefused: {
    readonly kind: 'budget-refused';
    readonly which: BudgetKind;
    readonly remaining: number;
  };
  /** The request itself was no good: an unparsable reply, context overflow, a revision that fails its checks. */
  readonly invalid: { readonly kind: 'invalid'; readonly findings: readonly Finding[] };
  readonly infraFailed: { readonly kind: 'infra-failed'; readonly retryable: boolean; readonly why: string };
}

type Refusal = Failures[keyof Failures];
type Ok<Value> = { readonly kind: 'ok'; readonly value: Value };

/** Evidence of all tasks, of some of them (`partial`), or of none. */
export type FeedbackResult =
  | Ok<FeedbackPass>
  /** A declared subset, or a pass that could not be completed; `done` counts as it stands. */
  | {
      readonly kind: 'partial';
      readonly done: FeedbackPass;
      readonly missing: readonly TaskId[];
      readonly why: string;
    }
  | Refusal;
/** A reply that fits its schema; one that does not is `invalid`, and stays charged. */
export type CallModelResult = Ok<ModelReply> | Refusal;
/** Deriving costs nothing: no budget refuses it. */
export type DeriveResult = Ok<Derived> | Refusal;
/** What became of a session; an engine without sessions answers `invalid`. */
export type SessionResult = Ok<SessionEnd> | Refusal;
/** `invalid` carries what the checks found; an engine that checks at submission only answers so, too. */
export type ValidateResult = Ok<Validated> | Refusal;
/** Ok also where selection gave no number: see `Submitted`. */
export type SubmitResult = Ok<Submitted> | Refusal;
/** A note is always taken. */
export type NoteResult = Ok<null>;

/** The result of a single action, by its kind. */
export type SingleResult =
  | FeedbackResult
  | CallModelResult
  | DeriveResult
  | SessionResult
  | ValidateResult
  | SubmitResult
  | NoteResult;

/** One result per action of the batch, in its order; a batch itself never fails. */
export interface BatchResult {
  readonly kind: 'batch';
  readonly results: readonly SingleResult[];
}

/** Results are values, never exceptions; at most 16 KB as JSON. */
export type ActionResult = SingleResult | BatchResult;

/* ---- the machine ---------------------------------------------------------------------------------------- */

/** A task that the updater may learn from, and ask feedback on. */
export interface FeedbackTask {
  readonly taskId: TaskId;
  readonly modality: Modality;
  readonly leakageGroup: string;
}

/** All an updater learns at the start: no selection or final ids. */
export interface UpdaterContext {
  /** Ours, not Temporal's. */
  readonly runId: string;
  readonly seed: number;
  readonly h0: {
    readonly digest: HarnessDigest;
    readonly files: Readonly<Record<HarnessFile, BlobRef>>;
  };
  readonly feedback: readonly FeedbackTask[];
  readonly budgets: {
    readonly updaterTokens: number;
    readonly candidates: number;
    /** With H0's. */
    readonly selectionQueries: number;
    readonly searchMs: number;
  };
}

/**
 * What a method may change and wants to see. `version` tells states and results of one edition of it from those of
 * another.
 */
export interface UpdaterDescription {
  readonly name: string;
  readonly version: number;
  readonly editableFiles: readonly HarnessFile[];
  readonly evidenceKinds: readonly ('diagnostics' | 'transcript')[];
  readonly sessionTools: readonly string[];
  readonly defaults: JsonObject;
}

/**
 * A method as a deterministic reducer: no I/O, clock or randomness; the same state and result give the same
 * successor in any process. State is plain JSON of at most 32 KiB and all that a resumed search needs.
 */
export interface Updater<State extends JsonObject = JsonObject, Settings extends JsonObject = JsonObject> {
  describe(): UpdaterDescription;
  init(context: UpdaterContext, settings: Settings): State;
  /** The action that `state` waits for; asking twice gives the same action. */
  next(state: State): Action;
  /** Never throws on any result that fits `action`. */
  apply(state: State, action: Action, result: ActionResult): State;
}
