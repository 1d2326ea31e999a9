import { z } from 'zod';
import type { Delta } from '../../contract/provider-port.ts';
import type { ModelResponse, Part } from '../../schema/model-call.ts';
import { finishReasonOf, usageOf } from './chat-reply.ts';
import type { ReplyStream } from './wire-codec.ts';

const ChatChunk = z.looseObject({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        delta: z
          .looseObject({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.looseObject({
                  index: z.number().int().nonnegative().nullish(),
                  id: z.string().nullish(),
                  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
});

interface StreamedCall {
  id: string | null;
  name: string;
  arguments: string;
}

/** Puts the chunks of one streamed reply of `POST /chat/completions` together. */
export function createChatStream(askedModel: string): ReplyStream {
  let id = '';
  let servedModel = askedModel;
  let text = '';
  let refusal = '';
  let finish: string | null = null;
  let usage: ModelResponse['usage'] = null;
  const calls: StreamedCall[] = [];

  return {
    add: (value) => {
      const chunk = ChatChunk.parse(value);
      id ||= chunk.id ?? '';
      servedModel = chunk.model ?? servedModel;
      usage = usageOf(chunk.usage as Parameters<typeof usageOf>[0]) ?? usage;
      const choice = chunk.choices?.[0];
      finish = choice?.finish_reason ?? finish;
      const deltas: Delta[] = [];
      const content = choice?.delta?.content ?? '';
      if (content !== '') deltas.push({ kind: 'text', text: content });
      text += content;
      refusal += choice?.delta?.refusal ?? '';
      for (const [position, part] of (choice?.delta?.tool_calls ?? []).entries()) {
        const index = Math.min(part.index ?? position, calls.length);
        const call = (calls[index] ??= { id: null, name: '', arguments: '' });
        const written = part.function?.arguments ?? '';
        deltas.push({
          kind: 'tool-call',
          index,
          ...(call.id === null ? { id: part.id ?? `call_${index}` } : {}),
          ...(call.name === '' && part.function?.name ? { name: part.function.name } : {}),
          arguments: written,
        });
        call.id ??= part.id ?? `call_${index}`;
        call.name ||= part.function?.name ?? '';
        call.arguments += written;
      }
      return deltas;
    },
    response: () => {
      if (finish === null) return null;
      const written = text === '' ? refusal : text;
      const content: Part[] = written === '' ? [] : [{ type: 'text', text: written }];
      return {
        id,
        servedModel,
        content,
        toolCalls: calls.map((call, index) => ({ ...call, id: call.id ?? `call_${index}` })),
        finishReason: refusal === '' ? finishReasonOf(finish, calls.length) : 'refusal',
        usage,
      };
    },
  };
}
