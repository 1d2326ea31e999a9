import { reasoningItem } from '../../domain/reasoning-item.ts';
import type { ModelBinding } from '../../schema/model-binding.ts';
import type { Message, ModelRequest, Part } from '../../schema/model-call.ts';

type Item = Record<string, unknown>;

/**
 * The JSON body of `POST /responses`: only what is listed here is ever sent. Nothing is kept at the provider and nothing
 * of what it keeps is named, so each request carries the whole conversation; the wire has no field for a seed.
 */
export function responsesRequest(
  request: ModelRequest,
  _binding: ModelBinding,
  stream: boolean,
): Record<string, unknown> {
  const { sampling, tools } = request;
  const first = request.messages.findIndex((message) => message.role !== 'system');
  const leading = first === -1 ? request.messages : request.messages.slice(0, first);
  const instructions = leading.map((message) => textOf(message.content)).join('\n\n');
  return {
    model: request.model,
    ...(leading.length === 0 ? {} : { instructions }),
    input: request.messages.slice(leading.length).flatMap(itemsOf),
    max_output_tokens: sampling.maxOutputTokens,
    store: false,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            parameters,
            strict: false,
          })),
        }),
    ...(sampling.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === undefined ? {} : { top_p: sampling.topP }),
    ...(sampling.reasoningEffort === undefined
      ? {}
      : { reasoning: { effort: sampling.reasoningEffort }, include: ['reasoning.encrypted_content'] }),
    ...(request.responseFormat === 'json' ? { text: { format: { type: 'json_object' } } } : {}),
    ...(stream ? { stream: true } : {}),
  };
}

function itemsOf(message: Message): Item[] {
  const content = textOf(message.content);
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, content }];
    case 'assistant':
      return [
        ...(message.reasoning ?? []).flatMap(reasoningItem),
        ...(content === '' ? [] : [{ role: 'assistant', content }]),
        ...message.toolCalls.map(({ id, name, arguments: written }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: written,
        })),
      ];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.toolCallId, output: content }];
  }
}

function textOf(content: readonly Part[]): string {
  return content.map((part) => part.text).join('');
}
