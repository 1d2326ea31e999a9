import type { Delta } from '../contract/provider-port.ts';
import type { FrontErrorType, RecordedAnswer } from '../schema/call-row.ts';
import type { ModelResponse } from '../schema/model-call.ts';

/** What a client gets for one numbered call, whichever wire it speaks. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly response: ModelResponse }
  | { readonly kind: 'refused'; readonly type: FrontErrorType; readonly code: string; readonly message: string };

/** A call that was not answered, in words that every wire can carry. */
export type Refusal = Extract<CallOutcome, { kind: 'refused' }>;

/** A call under way or done. `deltas` is null where nothing is streamed while waiting. */
export interface PendingCall {
  readonly outcome: Promise<CallOutcome>;
  readonly deltas: AsyncIterable<Delta> | null;
}

/** A refusal. `code` is a stable word, `message` a sentence for people. */
export function refuse(type: FrontErrorType, code: string, message: string): Refusal {
  return { kind: 'refused', type, code, message };
}

/** A call that is over before anybody waited for it. */
export function settled(outcome: CallOutcome): PendingCall {
  return { outcome: Promise.resolve(outcome), deltas: null };
}

/** The outcome that a stored answer stands for. */
export function outcomeOf(answer: RecordedAnswer): CallOutcome {
  switch (answer.kind) {
    case 'answered':
      return { kind: 'answered', response: answer.response };
    case 'fault':
      return refuse(answer.type, answer.type, answer.message);
  }
}
