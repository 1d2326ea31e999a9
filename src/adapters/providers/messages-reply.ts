import { z } from 'zod';
import { argumentsOf } from '../../domain/tool-input.ts';
import type { FinishReason, ModelResponse, Part, Reasoning, ToolCall, Usage } from '../../schema/model-call.ts';

const Count = z.number().int().nonnegative();

/** Usage as sent: three disjoint kinds of input. Anything but whole numbers, or no input at all, is no usage. */
const MessagesUsage = z.looseObject({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count.nullish(),
  cache_creation_input_tokens: Count.nullish(),
  output_tokens_details: z.looseObject({ thinking_tokens: Count.nullish() }).nullish().catch(null),
});

const Block = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  id: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown().optional(),
  thinking: z.string().nullish(),
  signature: z.string().nullish(),
  data: z.string().nullish(),
});
/** A piece of a reply's content, of any type. */
export type MessagesBlock = z.infer<typeof Block>;

/** A reply of `POST /v1/messages`, in every shape that servers of this wire were seen to send. */
export const MessagesReply = z.looseObject({
  id: z.string().nullish(),
  type: z.literal('message'),
  model: z.string().nullish(),
  content: z.union([z.string(), z.array(z.union([z.string(), Block]))]).nullish(),
  stop_reason: z.string().nullish(),
  usage: z.unknown().optional(),
});
export type MessagesReply = z.infer<typeof MessagesReply>;

/** The neutral response. `askedModel` stands in where the server does not say what it served. */
export function responseOfMessage(reply: MessagesReply, askedModel: string): ModelResponse {
  const blocks = blocksOf(reply.content);
  return responseOfBlocks(blocks, {
    id: reply.id ?? '',
    servedModel: reply.model ?? askedModel,
    stopReason: reply.stop_reason ?? null,
    usage: messagesUsage(reply.usage),
  });
}

/** All of a reply but its content; a stream tells it in pieces. `usage` is null where none came. */
export interface MessageEnd {
  readonly id: string;
  readonly servedModel: string;
  readonly stopReason: string | null;
  readonly usage: Usage | null;
}

/** The neutral response. Empty texts and blocks of unknown type are left out. */
export function responseOfBlocks(blocks: readonly MessagesBlock[], end: MessageEnd): ModelResponse {
  const reasoning = blocks.flatMap(reasoningOf);
  const content = blocks.flatMap((block): Part[] =>
    block.type === 'text' && typeof block.text === 'string' && block.text !== ''
      ? [{ type: 'text', text: block.text }]
      : [],
  );
  const toolCalls = blocks.filter((block) => block.type === 'tool_use').map(toolCallOf);
  return {
    id: end.id,
    servedModel: end.servedModel,
    ...(reasoning.length === 0 ? {} : { reasoning }),
    content,
    toolCalls,
    finishReason: finishReasonOf(end.stopReason, toolCalls.length),
    usage: end.usage,
  };
}

/** Cache reads and writes are told beside the input on this wire, and are parts of the neutral input. */
export function messagesUsage(usage: unknown): Usage | null {
  const parsed = MessagesUsage.safeParse(usage);
  if (!parsed.success) return null;
  const { input_tokens: fresh, output_tokens: outputTokens, output_tokens_details: details } = parsed.data;
  const cacheReadTokens = parsed.data.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = parsed.data.cache_creation_input_tokens ?? 0;
  const inputTokens = fresh + cacheReadTokens + cacheWriteTokens;
  if (inputTokens === 0) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: details?.thinking_tokens ?? 0,
  };
}

/** What a complete block holds of the model's thoughts; none without what the provider needs to know them again. */
export function reasoningOf(block: MessagesBlock): Reasoning[] {
  if (block.type === 'thinking' && typeof block.signature === 'string' && block.signature !== '')
    return [{ kind: 'thinking', text: block.thinking ?? '', signature: block.signature }];
  if (block.type === 'redacted_thinking' && typeof block.data === 'string')
    return [{ kind: 'redacted-thinking', data: block.data }];
  return [];
}

function finishReasonOf(reason: string | null, toolCalls: number): FinishReason {
  switch (reason ?? '') {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refusal';
    default:
      return toolCalls > 0 ? 'tool_calls' : 'stop';
  }
}

function blocksOf(content: MessagesReply['content']): MessagesBlock[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block));
}

/** A malformed call stays what the model wrote: whoever runs tools has to judge it. */
function toolCallOf(block: MessagesBlock, index: number): ToolCall {
  return { id: block.id ?? `call_${index}`, name: block.name ?? '', arguments: argumentsOf(block.input) };
}
