import { z } from 'zod';
import type { FinishReason, ModelResponse, Part, ToolCall, Usage } from '../../schema/model-call.ts';

const Count = z.number().int().nonnegative();
const Details = z.looseObject({}).nullish();

/** Usage as sent. A prompt of no tokens, or anything but whole numbers, is no usage: it must not read as free. */
const ChatUsage = z
  .looseObject({
    prompt_tokens: z.number().int().positive(),
    completion_tokens: Count,
    total_tokens: Count.nullish(),
    prompt_tokens_details: Details,
    completion_tokens_details: Details,
  })
  .nullish()
  .catch(null);

const Content = z
  .union([
    z.string(),
    z.array(z.union([z.string(), z.looseObject({ text: z.string().nullish(), refusal: z.string().nullish() })])),
  ])
  .nullish();

const ChatToolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
});

/** A reply of `POST /chat/completions`, in every shape that servers of this wire were seen to send. */
export const ChatReply = z.looseObject({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: Content,
          refusal: z.string().nullish(),
          tool_calls: z.array(ChatToolCall).nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: ChatUsage,
});
export type ChatReply = z.infer<typeof ChatReply>;

/** The neutral response. `askedModel` stands in where the server does not say what it served. */
export function responseOf(reply: ChatReply, askedModel: string): ModelResponse {
  const choice = reply.choices[0];
  const toolCalls = (choice?.message.tool_calls ?? []).map(toolCallOf);
  const refusal = choice?.message.refusal ?? null;
  const content = partsOf(choice?.message.content);
  return {
    id: reply.id ?? '',
    servedModel: reply.model ?? askedModel,
    content: content.length === 0 && refusal !== null ? [{ type: 'text', text: refusal }] : content,
    toolCalls,
    finishReason: refusal === null ? finishReasonOf(choice?.finish_reason, toolCalls.length) : 'refusal',
    usage: usageOf(reply.usage),
  };
}

/**
 * Null where the provider did not say. Some servers count reasoning in `total_tokens` alone: what the total has beyond the
 * prompt is output, so that nothing billed is left out.
 */
export function usageOf(usage: z.input<typeof ChatUsage>): Usage | null {
  const parsed = ChatUsage.parse(usage);
  if (parsed === null || parsed === undefined) return null;
  return {
    inputTokens: parsed.prompt_tokens,
    outputTokens: Math.max(parsed.completion_tokens, (parsed.total_tokens ?? 0) - parsed.prompt_tokens),
    cacheReadTokens: countIn(parsed.prompt_tokens_details, 'cached_tokens'),
    cacheWriteTokens: countIn(parsed.prompt_tokens_details, 'cache_write_tokens'),
    reasoningTokens: countIn(parsed.completion_tokens_details, 'reasoning_tokens'),
  };
}

/** Servers that name no reason, or one of their own, are read by what they sent: tool calls or not. */
export function finishReasonOf(reason: string | null | undefined, toolCalls: number): FinishReason {
  switch (reason ?? '') {
    case 'length':
    case 'content_filter':
      return reason as 'length' | 'content_filter';
    case 'tool_calls':
    case 'function_call':
      return 'tool_calls';
    default:
      return toolCalls > 0 ? 'tool_calls' : 'stop';
  }
}

function partsOf(content: z.infer<typeof Content>): Part[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content
    .map((part) => (typeof part === 'string' ? part : (part.text ?? part.refusal ?? '')))
    .filter((text) => text !== '')
    .map((text) => ({ type: 'text', text }));
}

/** A malformed call stays what the model wrote: whoever runs tools has to judge it. */
function toolCallOf(call: z.infer<typeof ChatToolCall>, index: number): ToolCall {
  const written = call.function?.arguments;
  return {
    id: call.id ?? `call_${index}`,
    name: call.function?.name ?? '',
    arguments: typeof written === 'string' ? written : written === undefined ? '' : JSON.stringify(written),
  };
}

function countIn(details: z.infer<typeof Details>, name: string): number {
  const value = Count.safeParse(details?.[name]);
  return value.success ? value.data : 0;
}
