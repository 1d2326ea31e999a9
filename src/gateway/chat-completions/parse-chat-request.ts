import { z } from 'zod';
import type { Message, Part, ToolDefinition } from '../../schema/model-call.ts';
import type { ParsedRequest } from '../front-wire.ts';

const Block = z.union([
  z.string(),
  z.looseObject({ type: z.string().optional(), text: z.string().nullish(), refusal: z.string().nullish() }),
]);
const Content = z.union([z.string(), z.array(Block)]).nullish();

const ToolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});

const ChatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: Content }),
  z.looseObject({ role: z.literal('user'), content: Content }),
  z.looseObject({ role: z.literal('assistant'), content: Content, tool_calls: z.array(ToolCall).nullish() }),
  z.looseObject({ role: z.literal('tool'), content: Content, tool_call_id: z.string() }),
]);

const ChatTool = z.looseObject({
  type: z.string(),
  function: z
    .looseObject({
      name: z.string().min(1),
      description: z.string().nullish(),
      parameters: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
});

const ChatBody = z.looseObject({
  messages: z.array(ChatMessage).min(1),
  tools: z.array(ChatTool).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

/**
 * Takes from a chat completions body what may pass: texts of messages, function calls and their results, function
 * tools, JSON mode, streaming. Everything else is dropped: model, sampling, n, images, files, hosted tools, `store`.
 */
export function parseChatRequest(body: unknown): ParsedRequest {
  const parsed = ChatBody.safeParse(body);
  if (!parsed.success) return { kind: 'invalid', message: z.prettifyError(parsed.error).slice(0, 500) };
  const { messages, tools, response_format: format, stream, stream_options: streamOptions } = parsed.data;
  const json = format?.type === 'json_object' || format?.type === 'json_schema';
  return {
    kind: 'parsed',
    draft: {
      messages: messages.map(messageOf),
      tools: (tools ?? []).flatMap(toolOf),
      responseFormat: json ? 'json' : 'text',
    },
    stream: stream === true,
    includeUsage: streamOptions?.include_usage === true,
  };
}

function messageOf(message: z.infer<typeof ChatMessage>): Message {
  const content = partsOf(message.content);
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content };
    case 'user':
      return { role: 'user', content };
    case 'assistant':
      return { role: 'assistant', content, toolCalls: (message.tool_calls ?? []).map(toolCallOf) };
    case 'tool':
      return { role: 'tool', toolCallId: message.tool_call_id, content };
  }
}

function partsOf(content: z.infer<typeof Content>): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((block): Part[] => {
    const text = typeof block === 'string' ? block : (block.text ?? block.refusal);
    return typeof text === 'string' ? [{ type: 'text', text }] : [];
  });
}

function toolCallOf(call: z.infer<typeof ToolCall>): { id: string; name: string; arguments: string } {
  const written = call.function.arguments;
  const text = typeof written === 'string' ? written : written === undefined ? '' : JSON.stringify(written);
  return { id: call.id, name: call.function.name, arguments: text };
}

function toolOf(tool: z.infer<typeof ChatTool>): ToolDefinition[] {
  if (tool.type !== 'function' || tool.function === null || tool.function === undefined) return [];
  const { name, description, parameters } = tool.function;
  return [{ name, description: description ?? '', parameters: parameters ?? { type: 'object', properties: {} } }];
}
