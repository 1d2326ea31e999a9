import { z } from 'zod';
import { argumentsOf } from '../../domain/tool-input.ts';
import type { Message, Part, Reasoning, ToolCall, ToolDefinition } from '../../schema/model-call.ts';
import type { ParsedRequest } from '../front-wire.ts';

const Mark = z.looseObject({ type: z.string().nullish() }).nullish();
const Text = z.string().nullish();

const Block = z.looseObject({
  type: z.string(),
  text: Text,
  cache_control: Mark,
  id: Text,
  name: Text,
  input: z.unknown().optional(),
  tool_use_id: Text,
  content: z.unknown().optional(),
  thinking: Text,
  signature: Text,
  data: Text,
});
type Block = z.infer<typeof Block>;
const Content = z.union([z.string(), z.array(z.union([z.string(), Block]))]);

const MessagesBody = z.looseObject({
  system: Content.nullish(),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Content.nullish() }))
    .min(1),
  tools: z
    .array(
      z.looseObject({
        type: Text,
        name: Text,
        description: Text,
        input_schema: z.record(z.string(), z.unknown()).nullish(),
        cache_control: Mark,
      }),
    )
    .nullish(),
  output_config: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  stream: z.boolean().nullish(),
});

/**
 * Takes from an Anthropic messages body what may pass: system and message texts, tool calls and their results, thinking
 * as it was given, function tools, marks of what to cache, streaming. Everything else is dropped: model, sampling,
 * images, documents, server tools, containers, MCP servers.
 */
export function parseMessagesRequest(body: unknown): ParsedRequest {
  const parsed = MessagesBody.safeParse(body);
  if (!parsed.success) return { kind: 'invalid', message: z.prettifyError(parsed.error).slice(0, 500) };
  const { system, messages, tools, output_config: output, stream } = parsed.data;
  const leading = blocksOf(system);
  const turns = messages.map((message) => ({ role: message.role, blocks: blocksOf(message.content) }));
  const orphan = turns.flatMap(({ blocks }) => blocks).find((block) => isCallWithoutId(block));
  if (orphan !== undefined) return { kind: 'invalid', message: `a ${orphan.type} block without its id` };
  return {
    kind: 'parsed',
    draft: {
      messages: [
        ...(leading.length === 0 ? [] : [{ role: 'system' as const, content: textParts(leading) }]),
        ...turns.flatMap(({ role, blocks }) =>
          role === 'assistant' ? [assistantOf(blocks)] : partedTurn(role, blocks),
        ),
      ],
      tools: (tools ?? []).flatMap(toolOf),
      responseFormat: output?.format?.type === 'json_schema' ? 'json' : 'text',
    },
    stream: stream === true,
    includeUsage: true,
  };
}

function isCallWithoutId(block: Block): boolean {
  return (
    (block.type === 'tool_use' && typeof block.id !== 'string') ||
    (block.type === 'tool_result' && typeof block.tool_use_id !== 'string')
  );
}

/** A user turn holds results of tools and texts in any order: each run of one sort becomes its own message. */
function partedTurn(role: 'user' | 'system', blocks: readonly Block[]): Message[] {
  const messages: Message[] = [];
  let texts: Block[] = [];
  const flush = (): void => {
    if (texts.length > 0) messages.push({ role, content: textParts(texts) });
    texts = [];
  };
  for (const block of blocks) {
    if (block.type !== 'tool_result') {
      texts.push(block);
      continue;
    }
    flush();
    messages.push({ role: 'tool', toolCallId: block.tool_use_id ?? '', content: resultParts(block) });
  }
  flush();
  return messages.length === 0 ? [{ role, content: [] }] : messages;
}

function assistantOf(blocks: readonly Block[]): Message {
  const reasoning = blocks.flatMap(reasoningOf);
  return {
    role: 'assistant',
    ...(reasoning.length === 0 ? {} : { reasoning }),
    content: textParts(blocks),
    toolCalls: blocks.flatMap((block): ToolCall[] =>
      block.type === 'tool_use'
        ? [{ id: block.id ?? '', name: block.name ?? '', arguments: argumentsOf(block.input), ...markOf(block) }]
        : [],
    ),
  };
}

/** The mark of a result as a whole stands with its last part. */
function resultParts(block: Block): Part[] {
  const content = Content.safeParse(block.content);
  const parts = content.success ? textParts(blocksOf(content.data)) : [];
  const last = parts.at(-1);
  return last === undefined ? parts : [...parts.slice(0, -1), { ...last, ...markOf(block) }];
}

function reasoningOf(block: Block): Reasoning[] {
  if (block.type === 'thinking' && typeof block.signature === 'string')
    return [{ kind: 'thinking', text: block.thinking ?? '', signature: block.signature }];
  if (block.type === 'redacted_thinking' && typeof block.data === 'string')
    return [{ kind: 'redacted-thinking', data: block.data }];
  return [];
}

function textParts(blocks: readonly Block[]): Part[] {
  return blocks.flatMap((block): Part[] =>
    block.type === 'text' && typeof block.text === 'string'
      ? [{ type: 'text', text: block.text, ...markOf(block) }]
      : [],
  );
}

function markOf(block: { cache_control?: z.infer<typeof Mark> }): { cache?: true } {
  return block.cache_control?.type === 'ephemeral' ? { cache: true } : {};
}

function blocksOf(content: z.infer<typeof Content> | null | undefined): Block[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block));
}

type BodyTool = NonNullable<z.infer<typeof MessagesBody>['tools']>[number];

/** Tools that the provider itself would run carry a type of their own. */
function toolOf(tool: BodyTool): ToolDefinition[] {
  const own = tool.type === undefined || tool.type === null || tool.type === 'custom';
  if (!own || typeof tool.name !== 'string' || tool.name === '') return [];
  const parameters = tool.input_schema ?? { type: 'object', properties: {} };
  return [{ name: tool.name, description: tool.description ?? '', parameters, ...markOf(tool) }];
}
