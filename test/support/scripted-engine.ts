import { assertNever } from '../../src/domain/assert-never.ts';
import { replyJson } from '../../src/domain/reply-json.ts';
import { sha256Of } from '../../src/domain/sha256.ts';
import { utf8Length } from '../../src/domain/utf8-length.ts';
import type { FeedbackEvidence, LeakTerms } from '../../src/schema/evidence.ts';
import { HarnessDigest, type TaskId } from '../../src/schema/ids.ts';
import { replySchemas } from '../../src/schema/reply-schemas.ts';
import { deriveFunctions } from '../../src/updaters/derive-functions.ts';
import { promptTemplates } from '../../src/updaters/prompts/prompt-templates.ts';
import type {
  Action,
  ActionResult,
  BlobRef,
  CallModel,
  CallModelResult,
  Derive,
  DeriveResult,
  Finding,
  FeedbackResult,
  RunFeedback,
  SingleAction,
  SingleResult,
  Submit,
  SubmitResult,
  Updater,
} from '../../src/updaters/step-machine.ts';

export interface Script {
  /** The model's reply to a rendered prompt. */
  readonly reply: (role: string, prompt: string) => string;
  /** Evidence of one attempt; null = not scored. */
  readonly evidence: (taskId: TaskId, revision: HarnessDigest) => FeedbackEvidence | null;
  readonly leakTerms?: LeakTerms;
  /** Takes an action over from the engine; null = let it be performed. */
  readonly intercept?: (action: SingleAction) => SingleResult | null;
  readonly candidates?: number;
}

export const noLeakTerms: LeakTerms = { taskIds: [], fileNames: [], referenceValues: [], rubricSentences: [] };

/** Performs an updater's actions in memory, with the real prompt templates, reply parsing and derive functions. */
export class ScriptedEngine {
  readonly actions: Action[] = [];
  /** Digests of submitted revisions, in order. */
  readonly candidates: HarnessDigest[] = [];
  /** Every prompt that was rendered, in order. */
  readonly prompts: { readonly role: string; readonly prompt: string }[] = [];
  readonly findings: Finding[] = [];
  private readonly blobs = new Map<string, string>();
  private readonly script: Script;

  constructor(script: Script) {
    this.script = script;
  }

  put(text: string): BlobRef {
    const sha256 = sha256Of(text);
    this.blobs.set(sha256, text);
    return { sha256, bytes: utf8Length(text) };
  }

  text({ sha256 }: BlobRef): string {
    const text = this.blobs.get(sha256);
    if (text === undefined) throw new Error(`no blob ${sha256}`);
    return text;
  }

  perform(action: Action): ActionResult {
    this.actions.push(action);
    if (action.kind === 'batch') return { kind: 'batch', results: action.actions.map((single) => this.single(single)) };
    if (action.kind === 'finish') throw new Error('finish has no result');
    return this.single(action);
  }

  private single(action: SingleAction): SingleResult {
    const taken = this.script.intercept?.(action) ?? null;
    if (taken !== null) return taken;
    switch (action.kind) {
      case 'run-feedback':
        return this.runFeedback(action);
      case 'call-model':
        return this.callModel(action);
      case 'derive':
        return this.derive(action);
      case 'submit':
        return this.submit(action);
      case 'note':
        return { kind: 'ok', value: null };
      case 'validate':
      case 'run-session':
        return { kind: 'invalid', findings: [{ code: 'action-unsupported', text: action.kind }] };
      default:
        return assertNever(action);
    }
  }

  private runFeedback({ taskIds, revision }: RunFeedback): FeedbackResult {
    const evidence = taskIds.flatMap((taskId) => {
      const document = this.script.evidence(taskId, revision);
      return document === null ? [] : [{ taskId, evidence: this.put(JSON.stringify(document)) }];
    });
    const done = { kind: 'feedback-pass', revision, evidence } as const;
    const missing = taskIds.filter((taskId) => !evidence.some((entry) => entry.taskId === taskId));
    return missing.length === 0 ? { kind: 'ok', value: done } : { kind: 'partial', done, missing, why: 'not scored' };
  }

  private callModel({ role, templateId, refs, parameters, schemaId }: CallModel): CallModelResult {
    const template = promptTemplates[templateId];
    if (template === undefined) throw new Error(`no template ${templateId}`);
    const prompt = template({ texts: this.texts(refs), parameters }).user;
    this.prompts.push({ role, prompt });
    const text = this.script.reply(role, prompt);
    const json = replyJson(text);
    if (json.kind === 'none') return { kind: 'invalid', findings: [{ code: `reply-${json.why}`, text: schemaId }] };
    const parsed = replySchemas[schemaId as keyof typeof replySchemas].safeParse(json.value);
    if (!parsed.success) return { kind: 'invalid', findings: [{ code: 'reply-invalid', text: schemaId }] };
    const value = {
      kind: 'model-reply',
      text: this.put(text),
      parsed: this.put(JSON.stringify(parsed.data)),
      finishReason: json.kind === 'cut' ? 'length' : 'stop',
      tokensCharged: 100,
      findings: json.kind === 'cut' ? [{ code: 'reply-cut', text: schemaId }] : [],
    } as const;
    return { kind: 'ok', value };
  }

  private derive({ function: name, refs, parameters }: Derive): DeriveResult {
    const run = deriveFunctions[name];
    if (run === undefined) throw new Error(`no derive function ${name}`);
    const outcome = run({ texts: this.texts(refs), parameters, leakTerms: this.script.leakTerms ?? noLeakTerms });
    this.findings.push(...outcome.findings);
    if (outcome.kind === 'invalid') return outcome;
    const stored = Object.fromEntries(Object.entries(outcome.texts).map(([key, text]) => [key, this.put(text)]));
    return { kind: 'ok', value: { kind: 'derived', refs: stored, value: outcome.value, findings: outcome.findings } };
  }

  private submit({ files }: Submit): SubmitResult {
    if (this.candidates.length >= (this.script.candidates ?? 3)) {
      return { kind: 'budget-refused', which: 'candidates', remaining: 0 };
    }
    const revision = HarnessDigest.parse(sha256Of(JSON.stringify(files)));
    this.candidates.push(revision);
    const selection = { kind: 'disclosed', points: 50 + this.candidates.length, delta: 0 } as const;
    return { kind: 'ok', value: { kind: 'submitted', revision, repeated: false, selection } };
  }

  private texts(refs: Readonly<Record<string, BlobRef>>): Record<string, string> {
    return Object.fromEntries(Object.entries(refs).map(([name, ref]) => [name, this.text(ref)]));
  }
}

/** Drives an updater to its end; `between` sees (and may replace) the state before every action. Gives the reason. */
export function drive<State extends object>(
  updater: Pick<Updater, 'next' | 'apply'>,
  start: State,
  engine: Pick<ScriptedEngine, 'perform'>,
  between: (state: State) => State = (state) => state,
): { readonly state: State; readonly reason: string; readonly steps: number } {
  const machine = updater as unknown as {
    next: (state: State) => Action;
    apply: (state: State, action: Action, result: ActionResult) => State;
  };
  let state = start;
  for (let steps = 0; steps < 2_000; steps += 1) {
    state = between(state);
    const action = machine.next(state);
    if (action.kind === 'finish') return { state, reason: action.reason, steps };
    state = machine.apply(state, action, engine.perform(action));
  }
  throw new Error('the updater does not finish');
}
