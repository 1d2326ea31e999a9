import type { FaultProfile } from '../schema/fault-profile.ts';
import type { Role } from '../schema/lease.ts';
import type { ModelBinding } from '../schema/model-binding.ts';
import type { ModelRequest, ModelResponse, ProviderResult, Reasoning } from '../schema/model-call.ts';
import type { PolicyBook } from '../schema/policy-book.ts';
import type { World } from '../schema/world.ts';

/** A piece of a streamed reply, in order. Tool calls are told by their index; `id` and `name` come once. Reasoning comes whole. */
export type Delta =
  | { readonly kind: 'reasoning'; readonly reasoning: Reasoning }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'tool-call';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments: string;
    };

/** How one request attempt is made; none of it changes what is asked of the model. */
export interface ProviderCallOptions {
  readonly stream: boolean;
  /** Aborted when nobody may wait any longer; the result is then `unknown` with code `aborted`. */
  readonly signal: AbortSignal;
  /** Called for each piece when `stream` is set; must not throw. */
  readonly onDelta?: (delta: Delta) => void;
  /** 0-based retry index of this request attempt. */
  readonly attempt: number;
}

/** One model behind its wire. Sends exactly once, never retries, never throws: every end is a `ProviderResult`. */
export interface ProviderPort {
  call(request: ModelRequest, options: ProviderCallOptions): Promise<ProviderResult>;
}

/** The provider of one role of one experiment; the same object for equal bindings. */
export type ProviderSource = (binding: ModelBinding, role: Role) => ProviderPort;

/** What the simulated model may know besides the request. */
export interface SimulatedContext {
  readonly role: Role;
  readonly world: World;
  /** Given for the solver alone; null elsewhere. */
  readonly policies: PolicyBook | null;
  /** null: every request is answered. */
  readonly faults: FaultProfile | null;
}

/** What a request attempt at the simulated model comes to. */
export type SimulatedTurn =
  | { readonly kind: 'answered'; readonly response: ModelResponse }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number }
  /** Silence of so many milliseconds, then a time-out. */
  | { readonly kind: 'stalled'; readonly stallMs: number };

/** Pure: the same turn for the same request, context and 0-based retry index, in any process. */
export type SimulatedModel = (request: ModelRequest, context: SimulatedContext, attempt: number) => SimulatedTurn;

/** Upper-bound counting of model tokens, by a public tokenizer. */
export interface TokenCounter {
  /** Sum over the texts. Counts of texts seen lately are remembered; long new ones are counted in slices that let others run. */
  count(texts: readonly string[]): Promise<number>;
}
