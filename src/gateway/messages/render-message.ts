import { thinkingBlock } from '../../domain/thinking-block.ts';
import { toolInputOf } from '../../domain/tool-input.ts';
import type { FinishReason, ModelResponse, ToolCall, Usage } from '../../schema/model-call.ts';
import type { Refusal } from '../call-outcome.ts';
import type { ReplyIdentity } from '../front-wire.ts';

/** A `message` object of Anthropic's wire. */
export function renderMessage(response: ModelResponse, identity: ReplyIdentity): unknown {
  const text = response.content.map((part) => part.text).join('');
  return {
    ...messageFrame(identity),
    content: [
      ...(response.reasoning ?? []).flatMap(thinkingBlock),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...response.toolCalls.map(toolUse),
    ],
    stop_reason: stopReason(response.finishReason),
    usage: messageUsage(response.usage),
  };
}

/** What a message and the opening of a streamed one have in common. */
export function messageFrame({ id, model }: ReplyIdentity) {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null };
}

/** The error body of this wire. */
export function renderMessageRefusal({ type, code, message }: Refusal): unknown {
  return { type: 'error', error: { type, code, message } };
}

/** This wire has one word for a refusal and for the provider's filter. */
export function stopReason(reason: FinishReason): string {
  switch (reason) {
    case 'stop':
      return 'end_turn';
    case 'length':
      return 'max_tokens';
    case 'tool_calls':
      return 'tool_use';
    case 'content_filter':
    case 'refusal':
      return 'refusal';
  }
}

/** Cache reads and writes stand beside the input on this wire, not in it. */
export function messageUsage(usage: Usage | null): Record<string, unknown> | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
  };
}

function toolUse({ id, name, arguments: written }: ToolCall): unknown {
  return { type: 'tool_use', id, name, input: toolInputOf(written) };
}
