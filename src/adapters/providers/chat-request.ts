import type { ModelBinding } from '../../schema/model-binding.ts';
import type { Message, ModelRequest, Part, ToolDefinition } from '../../schema/model-call.ts';

/** The JSON body of `POST /chat/completions`: only what is listed here is ever sent. */
export function chatRequest(request: ModelRequest, binding: ModelBinding, stream: boolean): Record<string, unknown> {
  const { sampling } = request;
  const hosted = isHostedByOpenAi(binding.baseUrl);
  const capField = binding.outputCapField ?? (hosted ? 'max_completion_tokens' : 'max_tokens');
  return {
    model: request.model,
    messages: request.messages.map(chatMessage),
    n: 1,
    seed: request.seed,
    [capField]: sampling.maxOutputTokens,
    ...(sampling.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === undefined ? {} : { top_p: sampling.topP }),
    ...(sampling.reasoningEffort === undefined ? {} : { reasoning_effort: sampling.reasoningEffort }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(chatTool) }),
    ...(request.responseFormat === 'json' ? { response_format: { type: 'json_object' } } : {}),
    ...(hosted ? { store: false } : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

/** Other servers of this wire may refuse fields that only OpenAI's own knows. */
function isHostedByOpenAi(baseUrl: string | null): boolean {
  return baseUrl !== null && /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);
}

/** One message as it stands in a chat completions body. */
export function chatMessage(message: Message): Record<string, unknown> {
  const content = textOf(message.content);
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content };
    case 'assistant':
      return {
        role: 'assistant',
        content: content === '' && message.toolCalls.length > 0 ? null : content,
        ...(message.toolCalls.length === 0 ? {} : { tool_calls: message.toolCalls.map(chatToolCall) }),
      };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content };
  }
}

/** One function tool; marks of what to cache are no part of this wire. */
export function chatTool({ name, description, parameters }: ToolDefinition): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters } };
}

function chatToolCall(call: { id: string; name: string; arguments: string }): Record<string, unknown> {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}

function textOf(content: readonly Part[]): string {
  return content.map((part) => part.text).join('');
}
