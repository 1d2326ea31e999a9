import { reasoningItem } from '../../domain/reasoning-item.ts';
import type { FinishReason, ModelResponse, Usage } from '../../schema/model-call.ts';
import type { Refusal } from '../call-outcome.ts';
import type { ReplyIdentity } from '../front-wire.ts';

type Item = Record<string, unknown>;

/** A `response` object of OpenAI's Responses wire. `created_at` is 0: a repeated answer is the same bytes. */
export function renderResponse(response: ModelResponse, identity: ReplyIdentity): Item {
  const text = response.content.map((part) => part.text).join('');
  const refused = response.finishReason === 'refusal';
  const items: Item[] = (response.reasoning ?? []).flatMap(reasoningItem);
  if (text !== '' || refused)
    items.push(messageItem(items.length, identity, [refused ? refusalPart(text) : textPart(text)]));
  for (const call of response.toolCalls) items.push(callItem(items.length, identity, call));
  return { ...responseFrame(identity, response.finishReason), output: items, usage: responseUsage(response.usage) };
}

/** A response without its output; `reason` is null while it is under way. */
export function responseFrame({ id, model }: ReplyIdentity, reason: FinishReason | null): Item {
  const cut = reason === 'length' ? 'max_output_tokens' : reason === 'content_filter' ? 'content_filter' : null;
  return {
    id,
    object: 'response',
    created_at: 0,
    status: reason === null ? 'in_progress' : cut === null ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: cut === null ? null : { reason: cut },
    instructions: null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: null,
  };
}

/** The error body of this wire. */
export function renderResponseRefusal({ type, code, message }: Refusal): unknown {
  return { error: { type, code, message } };
}

/** An assistant's message at `index` of the output. */
export function messageItem(
  index: number,
  { id }: ReplyIdentity,
  content: readonly Item[],
  status = 'completed',
): Item {
  return { type: 'message', id: `msg_${id}_${index}`, status, role: 'assistant', content };
}

/** A function call at `index` of the output. */
export function callItem(
  index: number,
  { id }: ReplyIdentity,
  call: { id: string; name: string; arguments: string },
  status = 'completed',
): Item {
  const { id: callId, name, arguments: written } = call;
  return { type: 'function_call', id: `fc_${id}_${index}`, status, call_id: callId, name, arguments: written };
}

/** What the model said, as a part of its message. */
export function textPart(text: string): Item {
  return { type: 'output_text', text, annotations: [] };
}

/** What the model said instead, as a part of its message. */
export function refusalPart(text: string): Item {
  return { type: 'refusal', refusal: text };
}

/**
 * Cache reads and writes are parts of the input on this wire, reasoning of the output; null where the provider told no
 * usage.
 */
export function responseUsage(usage: Usage | null): Item | null {
  if (usage === null) return null;
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
