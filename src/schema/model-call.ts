import { z } from 'zod';
import type { HaltKind } from './halt.ts';

/** The APIs that are spoken: OpenAI chat completions, OpenAI Responses, Anthropic messages. */
export const Wire = z.enum(['chat', 'responses', 'messages']);
export type Wire = z.infer<typeof Wire>;

/** The prompt up to here is worth caching; sent to providers that take such marks, dropped for all others. */
const CacheMark = z.literal(true).optional();

/** Text is the only part a harness may send; images, files and URLs are dropped at the gateway's front. */
export const Part = z.object({ type: z.literal('text'), text: z.string(), cache: CacheMark });
export type Part = z.infer<typeof Part>;

/** `arguments` is the raw JSON text as the model wrote it, valid or not. */
export const ToolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string(), cache: CacheMark });
export type ToolCall = z.infer<typeof ToolCall>;

/**
 * What a model thought, in the form in which its provider wants it back: only a provider of the same wire gets it.
 * `thinking` and `redacted-thinking` belong to Anthropic messages, `item` to OpenAI Responses.
 */
export const Reasoning = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('thinking'), text: z.string(), signature: z.string() }),
  z.object({ kind: z.literal('redacted-thinking'), data: z.string() }),
  z.object({ kind: z.literal('item'), id: z.string(), summary: z.array(z.string()), encrypted: z.string() }),
]);
export type Reasoning = z.infer<typeof Reasoning>;

/** One turn of a conversation on any wire. `toolCallId` names the call that a tool's message answers. */
export const Message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.array(Part) }),
  z.object({ role: z.literal('user'), content: z.array(Part) }),
  z.object({
    role: z.literal('assistant'),
    /** Absent where there is none. */
    reasoning: z.array(Reasoning).optional(),
    content: z.array(Part),
    toolCalls: z.array(ToolCall),
  }),
  z.object({ role: z.literal('tool'), toolCallId: z.string(), content: z.array(Part) }),
]);
export type Message = z.infer<typeof Message>;

/** A tool offered to the model; `parameters` is JSON Schema, handed on as it came. */
export const ToolDefinition = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  cache: CacheMark,
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

/** Sampling as the experiment pins it; a request's own values are ignored. */
export const Sampling = z.object({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  reasoningEffort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  /** Output cap of one call, reasoning included. */
  maxOutputTokens: z.number().int().positive(),
});
export type Sampling = z.infer<typeof Sampling>;

/** The wire-neutral request: every wire at the front is parsed into it, every provider is called from it. */
export const ModelRequest = z.object({
  model: z.string(),
  messages: z.array(Message),
  tools: z.array(ToolDefinition),
  sampling: Sampling,
  /** Attempt seed, below 2^31; sent where the provider takes one. */
  seed: z.number().int().nonnegative(),
  responseFormat: z.enum(['text', 'json']),
});
export type ModelRequest = z.infer<typeof ModelRequest>;

/** Cache reads and writes are parts of `inputTokens`, reasoning is a part of `outputTokens`. */
export const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
  reasoningTokens: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * Why the model stopped: `length` is the output cap, `content_filter` the provider's filter, `refusal` the model itself.
 */
export const FinishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'refusal']);
export type FinishReason = z.infer<typeof FinishReason>;

/**
 * The wire-neutral reply, which every provider's own is turned into. `servedModel` is the name the provider gave itself.
 */
export const ModelResponse = z.object({
  id: z.string(),
  servedModel: z.string(),
  /** Absent where there is none. */
  reasoning: z.array(Reasoning).optional(),
  content: z.array(Part),
  toolCalls: z.array(ToolCall),
  finishReason: FinishReason,
  /** null when the provider sent none: the call is then charged at its upper bound. */
  usage: Usage.nullable(),
});
export type ModelResponse = z.infer<typeof ModelResponse>;

/**
 * What a provider's text says is wrong. `phrase` is the piece that says so, in lower case: where the request itself
 * contains it, the text may only repeat the request and proves nothing.
 */
export interface RefusalClaim {
  readonly kind: Extract<HaltKind, 'key_refused' | 'credit_gone' | 'model_unknown' | 'setting_refused'>;
  /** As in `Halt`. */
  readonly setting: string | null;
  /** null where the provider names the field apart from its text. */
  readonly phrase: string | null;
}

/**
 * How one request attempt ended, decided by the provider adapter alone.
 * `rejected`: a complete refusal (429, 5xx, 4xx body) that cost nothing.
 * `unknown`: sent, but no trustworthy end (time-out, ours or one that is told; broken stream; reply that is no reply; a
 * proxy's word in place of the provider's): charged in full.
 * `fault`: `infrastructure` (401–404, 408, 429, 5xx, transport) or `agent` (context overflow, invalid request, refusal).
 */
export type ProviderResult =
  | { kind: 'answered'; response: ModelResponse }
  | {
      kind: 'rejected';
      fault: 'infrastructure' | 'agent';
      code: string;
      retryable: boolean;
      /** null where the provider named no time. */
      retryAfterMs: number | null;
      detail: string;
      /** Set where the text lays the refusal on the key, the credit or a pinned setting, and not on what was asked. */
      claim?: RefusalClaim;
    }
  | { kind: 'unknown'; fault: 'infrastructure'; code: string; retryable: boolean; detail: string };
