import { z } from 'zod';
import type { FinishReason, ModelResponse, Part, Reasoning, ToolCall, Usage } from '../../schema/model-call.ts';
import { ToldFailure } from './wire-codec.ts';

const Count = z.number().int().nonnegative();
const Text = z.string().nullish();

/** Usage as sent. A prompt of no tokens, or anything but whole numbers, is no usage: it must not read as free. */
const ResponsesUsage = z.looseObject({
  input_tokens: z.number().int().positive(),
  output_tokens: Count,
  input_tokens_details: z
    .looseObject({ cached_tokens: Count.nullish(), cache_write_tokens: Count.nullish() })
    .nullish()
    .catch(null),
  output_tokens_details: z.looseObject({ reasoning_tokens: Count.nullish() }).nullish().catch(null),
});

const ContentPart = z.union([z.string(), z.looseObject({ type: Text, text: Text, refusal: Text })]);

/** One item of a reply's output: a message, a function call, reasoning, or anything else. */
export const ResponsesItem = z.looseObject({
  type: Text,
  id: Text,
  call_id: Text,
  name: Text,
  arguments: z.unknown().optional(),
  content: z.union([z.string(), z.array(ContentPart)]).nullish(),
  summary: z
    .array(z.looseObject({ text: Text }))
    .nullish()
    .catch(null),
  encrypted_content: Text,
});
export type ResponsesItem = z.infer<typeof ResponsesItem>;

/** A reply of `POST /responses`, in every shape that servers of this wire were seen to send. */
export const ResponsesReply = z.looseObject({
  id: Text,
  model: Text,
  status: z.enum(['completed', 'incomplete', 'failed']).nullish(),
  error: z.looseObject({ code: Text, message: Text }).nullish(),
  incomplete_details: z.looseObject({ reason: Text }).nullish(),
  output: z.array(ResponsesItem),
  usage: z.unknown().optional(),
});
export type ResponsesReply = z.infer<typeof ResponsesReply>;

/** The neutral response; throws `ToldFailure` for one of status `failed`. `askedModel` stands in for a model not told. */
export function responseOfResponses(reply: ResponsesReply, askedModel: string): ModelResponse {
  if (reply.status === 'failed')
    throw new ToldFailure(reply.error?.code ?? '', reply.error?.message ?? 'the response failed');
  const parts = reply.output.filter((item) => item.type === 'message').flatMap((item) => partsOf(item.content));
  const refusal = parts.filter((part) => part.refused).map(({ text }) => textPart(text));
  const content = parts.filter((part) => !part.refused && part.text !== '').map(({ text }) => textPart(text));
  const toolCalls = reply.output.filter((item) => item.type === 'function_call').map(toolCallOf);
  const reasoning = reply.output.flatMap(reasoningOf);
  return {
    id: reply.id ?? '',
    servedModel: reply.model ?? askedModel,
    ...(reasoning.length === 0 ? {} : { reasoning }),
    content: content.length === 0 ? refusal : content,
    toolCalls,
    finishReason: refusal.length > 0 ? 'refusal' : finishReasonOf(reply, toolCalls.length),
    usage: responsesUsage(reply.usage),
  };
}

/** What a reasoning item holds; none without what makes it readable to a provider that kept nothing. */
export function reasoningOf(item: ResponsesItem): Reasoning[] {
  if (item.type !== 'reasoning' || typeof item.encrypted_content !== 'string' || item.encrypted_content === '')
    return [];
  const summary = (item.summary ?? []).map((part) => part.text ?? '');
  return [{ kind: 'item', id: item.id ?? '', summary, encrypted: item.encrypted_content }];
}

/** The JSON text of a call's arguments, as the model wrote it. */
export function writtenArguments(item: ResponsesItem): string {
  const { arguments: written } = item;
  return typeof written === 'string' ? written : written === undefined ? '' : JSON.stringify(written);
}

function responsesUsage(usage: unknown): Usage | null {
  const parsed = ResponsesUsage.safeParse(usage);
  if (!parsed.success) return null;
  const { input_tokens: inputTokens, output_tokens: outputTokens } = parsed.data;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: parsed.data.input_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: parsed.data.input_tokens_details?.cache_write_tokens ?? 0,
    reasoningTokens: parsed.data.output_tokens_details?.reasoning_tokens ?? 0,
  };
}

function finishReasonOf(reply: ResponsesReply, toolCalls: number): FinishReason {
  if (reply.status === 'incomplete')
    return reply.incomplete_details?.reason === 'content_filter' ? 'content_filter' : 'length';
  return toolCalls > 0 ? 'tool_calls' : 'stop';
}

function partsOf(content: ResponsesItem['content']): { text: string; refused: boolean }[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ text: content, refused: false }];
  return content.map((part) => {
    if (typeof part === 'string') return { text: part, refused: false };
    return typeof part.refusal === 'string'
      ? { text: part.refusal, refused: true }
      : { text: part.text ?? '', refused: false };
  });
}

function textPart(text: string): Part {
  return { type: 'text', text };
}

/** A malformed call stays what the model wrote: whoever runs tools has to judge it. */
function toolCallOf(item: ResponsesItem, index: number): ToolCall {
  return { id: item.call_id ?? item.id ?? `call_${index}`, name: item.name ?? '', arguments: writtenArguments(item) };
}
