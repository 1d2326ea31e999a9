import type { FinishReason, ToolCall, Usage } from '../../../src/schema/model-call.ts';

/** What a test server says, whatever wire it says it on. */
export interface ServerAnswer {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  /** What the model thought; told in the form of wires that have one. */
  readonly thought: string | null;
  /** The whole message as given, on the chat wire alone. */
  readonly message: Readonly<Record<string, unknown>> | null;
  readonly shape: AnswerShape;
  readonly usage: Usage;
  readonly shownUsage: 'whole' | 'null' | 'missing' | 'zero';
}

/** Ways in which servers were seen to write what they have to say. */
export type AnswerShape = 'plain' | 'list-content' | 'absent-content' | 'malformed-call';

/** One event of a stream, complete with its blank line. `piece` events carry something that the model wrote. */
export interface ServerEvent {
  readonly text: string;
  readonly piece: boolean;
}

/** One wire as a test server speaks it: the documented requests, replies, events and errors. */
export interface ServerWire {
  readonly path: string;
  /** Why the real API would refuse the body; null where it would not. */
  readonly flawOf: (body: Record<string, unknown>) => string | null;
  /** The prompt up to each place from which it may be cached, shortest first. */
  readonly cachePoints: (body: Record<string, unknown>) => readonly string[];
  readonly reply: (answer: ServerAnswer) => object;
  readonly events: (answer: ServerAnswer) => readonly ServerEvent[];
  readonly error: (status: number, type: string, message: string) => object;
  /** An error in the middle of a stream. */
  readonly errorEvent: (message: string) => string;
}

export function halves(text: string): string[] {
  const middle = Math.min(3, Math.ceil(text.length / 2));
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

/** A text that proves that a thought came back as it was given. */
export function sealOf(thought: string): string {
  return Buffer.from(`sealed ${thought}`).toString('base64');
}

/** The first key of `value` that is not among `known`. */
export function unknownKey(value: object, known: readonly string[]): string | null {
  return Object.keys(value).find((key) => !known.includes(key)) ?? null;
}
