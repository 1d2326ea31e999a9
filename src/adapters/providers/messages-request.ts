import { thinkingBlock } from '../../domain/thinking-block.ts';
import { toolInputOf } from '../../domain/tool-input.ts';
import type { ModelBinding } from '../../schema/model-binding.ts';
import type { Message, ModelRequest, Part, Sampling } from '../../schema/model-call.ts';

type Block = Record<string, unknown>;

/**
 * The JSON body of `POST /v1/messages`: only what is listed here is ever sent. `max_tokens` always is, since the wire
 * demands it; it has no field for a seed and none for JSON without a schema.
 */
export function messagesRequest(
  request: ModelRequest,
  _binding: ModelBinding,
  stream: boolean,
): Record<string, unknown> {
  const { sampling, tools } = request;
  const first = request.messages.findIndex((message) => message.role !== 'system');
  const leading = first === -1 ? request.messages : request.messages.slice(0, first);
  const system = leading.flatMap((message) => textBlocks(message.content));
  return {
    model: request.model,
    max_tokens: sampling.maxOutputTokens,
    ...(system.length === 0 ? {} : { system }),
    messages: turnsOf(request.messages.slice(leading.length)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters, cache }) => ({
            name,
            description,
            input_schema: parameters,
            ...marked(cache),
          })),
        }),
    ...(sampling.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === undefined ? {} : { top_p: sampling.topP }),
    ...thinkingOf(sampling),
    ...(stream ? { stream: true } : {}),
  };
}

/** An effort asks for thinking as the model sees fit; the wire knows no `minimal`. */
function thinkingOf({ reasoningEffort: effort }: Sampling): Record<string, unknown> {
  if (effort === undefined) return {};
  return { thinking: { type: 'adaptive' }, output_config: { effort: effort === 'minimal' ? 'low' : effort } };
}

/** Turns alternate on this wire: neighbours of one side are one turn, results of tools are the user's. */
function turnsOf(messages: readonly Message[]): { role: string; content: Block[] }[] {
  const turns: { role: string; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, content: blocks });
  }
  return turns;
}

function blocksOf(message: Message): Block[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return textBlocks(message.content);
    case 'assistant':
      return [
        ...(message.reasoning ?? []).flatMap(thinkingBlock),
        ...textBlocks(message.content),
        ...message.toolCalls.map(({ id, name, arguments: written, cache }) => ({
          type: 'tool_use',
          id,
          name,
          input: toolInputOf(written),
          ...marked(cache),
        })),
      ];
    case 'tool':
      return [
        {
          type: 'tool_result',
          tool_use_id: message.toolCallId,
          content: message.content.map((part) => part.text).join(''),
          ...marked(message.content.find((part) => part.cache === true)?.cache),
        },
      ];
  }
}

/** Blocks of nothing are refused on this wire. */
function textBlocks(content: readonly Part[]): Block[] {
  return content
    .filter((part) => part.text !== '')
    .map(({ text, cache }) => ({ type: 'text', text, ...marked(cache) }));
}

function marked(cache: true | undefined): Block {
  return cache === true ? { cache_control: { type: 'ephemeral' } } : {};
}
