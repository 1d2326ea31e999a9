import { assertNever } from '../../domain/assert-never.ts';
import { codeUnitOrder } from '../../domain/code-unit-order.ts';
import type {
  Action,
  ActionResult,
  BudgetKind,
  FeedbackPass,
  SearchEnd,
  SingleResult,
  TaskEvidence,
} from '../step-machine.ts';
import { describeFailure, resultValue } from '../result-value.ts';
import { reflectionsAtOnce } from './next-action.ts';
import type { AceCounters, AceState, Reflected } from './state.ts';

/** Infrastructure failures of one batch that are met by asking again. */
const mostRetries = 3;

/** The state after the action that `nextAction` gave. Every kind of result leads on; none throws. */
export function applyResult(state: AceState, _action: Action, result: ActionResult): AceState {
  if (state.notes.length > 0) return { ...state, notes: state.notes.slice(1) };
  const { step } = state;
  if (isPassing(result) && state.retries < mostRetries) return { ...state, retries: state.retries + 1 };
  switch (step.kind) {
    case 'solve':
      return afterSolve(state, result);
    case 'reflect':
      return afterReflect(state, step, result.kind === 'batch' ? result.results : []);
    case 'tag':
      return afterTag(state, step.queue, result);
    case 'curate':
      return afterCurate(state, step.queue, result);
    case 'apply-delta':
      return afterDelta(state, step.queue, result);
    case 'submit':
      return afterSubmit(state, result);
    case 'finish':
      return state;
    default:
      return assertNever(step);
  }
}

function afterSolve(state: AceState, result: ActionResult): AceState {
  if (result.kind === 'partial') {
    const text = `${result.done.evidence.length} tasks with evidence, ${result.missing.length} without: ${result.why}`;
    return reflectOn(withNote(state, 'feedback-partial', text), result.done);
  }
  const pass = resultValue(result, 'feedback-pass');
  if (pass !== null) return reflectOn(state, pass);
  const told = withNote(state, 'feedback-missing', describeFailure(result));
  return result.kind === 'budget-refused'
    ? finish(told, endBy(result.which), `feedback refused: ${result.which}`)
    : nextBatch(told);
}

function reflectOn(state: AceState, pass: FeedbackPass): AceState {
  if (pass.evidence.length === 0)
    return nextBatch(withNote(state, 'feedback-missing', 'no task of the batch has a score'));
  return { ...state, step: { kind: 'reflect', pending: pass.evidence, done: [] } };
}

function afterReflect(
  state: AceState,
  { pending, done }: Extract<AceState['step'], { kind: 'reflect' }>,
  results: readonly SingleResult[],
): AceState {
  const asked = pending.slice(0, reflectionsAtOnce);
  const reflected: Reflected[] = [...done];
  const again: TaskEvidence[] = [];
  let next = state;
  asked.forEach((task, index) => {
    const result = results[index] ?? { kind: 'infra-failed', retryable: false, why: 'no result' };
    const reply = resultValue(result, 'model-reply');
    if (reply !== null) reflected.push({ taskId: task.taskId, reflection: reply.parsed });
    else if (isPassing(result) && state.retries < mostRetries) again.push(task);
    else next = withFailure(next, `reflection on ${task.taskId}`, result, 'reflectionsFailed');
  });
  next = count(next, { reflections: reflected.length - done.length });
  if (again.length > 0) next = { ...next, retries: next.retries + 1 };
  const left = next.exhausted === null ? [...again, ...pending.slice(asked.length)] : [];
  if (left.length > 0) return { ...next, step: { kind: 'reflect', pending: left, done: reflected } };
  const queue = reflected.toSorted((before, after) => codeUnitOrder(before.taskId, after.taskId));
  return queue.length > 0 ? { ...next, step: { kind: 'tag', queue } } : submitIfChanged(next);
}

function afterTag(state: AceState, queue: readonly Reflected[], result: ActionResult): AceState {
  const derived = resultValue(result, 'derived');
  const next = { ...state, step: { kind: 'curate' as const, queue } };
  if (derived === null) return withNote(next, 'counters-missing', describeFailure(result));
  return count(
    { ...next, playbook: derived.refs['playbook'] ?? state.playbook },
    { tagsCounted: numberOf(derived.value['counted']) },
  );
}

function afterCurate(state: AceState, queue: readonly Reflected[], result: ActionResult): AceState {
  const reply = resultValue(result, 'model-reply');
  if (reply !== null) {
    return { ...count(state, { curations: 1 }), step: { kind: 'apply-delta', queue, curation: reply.parsed } };
  }
  return curateRest(
    withFailure(state, `curation for ${queue[0]?.taskId ?? 'no task'}`, result, 'curationsFailed'),
    queue,
  );
}

function afterDelta(state: AceState, queue: readonly Reflected[], result: ActionResult): AceState {
  const derived = resultValue(result, 'derived');
  if (derived === null) return curateRest(withNote(state, 'delta-missing', describeFailure(result)), queue);
  const { value, refs } = derived;
  const applied = count(state, {
    operationsApplied: numberOf(value['applied']),
    operationsRefused: numberOf(value['refused']),
  });
  const nextId = Math.max(state.nextId, numberOf(value['nextId']));
  return curateRest({ ...applied, playbook: refs['playbook'] ?? state.playbook, nextId }, queue);
}

function curateRest(state: AceState, queue: readonly Reflected[]): AceState {
  const rest = queue.slice(1);
  return rest.length === 0 ? submitIfChanged(state) : { ...state, step: { kind: 'curate', queue: rest } };
}

function submitIfChanged(state: AceState): AceState {
  if (state.playbook.sha256 !== state.base.playbook.sha256) return { ...state, step: { kind: 'submit' } };
  return nextBatch(withNote(state, 'submission-skipped', `batch ${state.batch + 1} left the playbook as it was`));
}

function afterSubmit(state: AceState, result: ActionResult): AceState {
  const submitted = resultValue(result, 'submitted');
  if (submitted !== null) {
    return nextBatch({ ...state, base: { revision: submitted.revision, playbook: state.playbook } });
  }
  const told = withNote(state, 'submission-failed', describeFailure(result));
  if (result.kind === 'budget-refused') return finish(told, endBy(result.which), `submission refused: ${result.which}`);
  // A revision that fails its checks is not built upon; one that only met a fault is submitted with the next batch.
  return nextBatch(result.kind === 'invalid' ? { ...told, playbook: state.base.playbook } : told);
}

function nextBatch(state: AceState): AceState {
  if (state.exhausted !== null)
    return finish(state, endBy(state.exhausted), `updater budget refused: ${state.exhausted}`);
  const batch = state.batch + 1;
  return batch < state.batches.length
    ? { ...state, batch, retries: 0, step: { kind: 'solve' } }
    : finish(state, 'done', 'all batches are done');
}

/** A failure that may pass: the same is asked again. */
function isPassing(result: ActionResult): boolean {
  return result.kind === 'infra-failed' && result.retryable;
}

function endBy(which: BudgetKind): SearchEnd {
  return which === 'solver-tokens' || which === 'money' ? 'cap' : 'budget';
}

function finish(state: AceState, end: SearchEnd, reason: string): AceState {
  return { ...state, step: { kind: 'finish', end, reason } };
}

/** Counts a failed call; a refused budget also ends further calls. */
function withFailure(
  state: AceState,
  what: string,
  result: SingleResult | ActionResult,
  counter: 'reflectionsFailed' | 'curationsFailed',
): AceState {
  const told = count(withNote(state, 'model-call-failed', `${what}: ${describeFailure(result)}`), { [counter]: 1 });
  return result.kind === 'budget-refused' ? { ...told, exhausted: result.which } : told;
}

const mostNotes = 8;

/** Notes beyond eight at once are dropped: the counters still tell how many there were. */
function withNote(state: AceState, code: string, text: string): AceState {
  if (state.notes.length >= mostNotes) return state;
  return { ...state, notes: [...state.notes, { code, text: text.slice(0, 300) }] };
}

function count(state: AceState, more: Partial<AceCounters>): AceState {
  const counters: Record<string, number> = { ...state.counters };
  for (const [name, amount] of Object.entries(more)) counters[name] = (counters[name] ?? 0) + amount;
  return { ...state, counters: counters as AceCounters };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
