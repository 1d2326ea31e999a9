import type { FinishReason, ModelResponse, ToolCall, Usage } from '../../schema/model-call.ts';
import type { Refusal } from '../call-outcome.ts';
import type { ReplyIdentity } from '../front-wire.ts';

/** A `chat.completion` object. `created` is 0: a repeated answer is the same bytes. */
export function renderChatReply(response: ModelResponse, { id, model }: ReplyIdentity): unknown {
  const text = response.content.map((part) => part.text).join('');
  const refused = response.finishReason === 'refusal';
  const content = refused || (text === '' && response.toolCalls.length > 0) ? null : text;
  return {
    id,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: refused ? text : null,
          ...(response.toolCalls.length === 0 ? {} : { tool_calls: response.toolCalls.map(chatToolCall) }),
        },
        finish_reason: chatFinishReason(response.finishReason),
      },
    ],
    usage: chatUsage(response.usage),
  };
}

/** The error body of this wire. */
export function renderChatRefusal({ type, code, message }: Refusal): unknown {
  return { error: { type, code, message } };
}

/** This wire has no word for a refusal: the reply stops, and its message says so in `refusal`. */
export function chatFinishReason(reason: FinishReason): string {
  return reason === 'refusal' ? 'stop' : reason;
}

/** Cache reads and reasoning are parts of the counts above them on this wire; null where the provider told no usage. */
export function chatUsage(usage: Usage | null): unknown {
  if (usage === null) return null;
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

function chatToolCall(call: ToolCall): unknown {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
