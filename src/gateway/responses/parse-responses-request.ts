import { z } from 'zod';
import type { Message, Part, Reasoning, ToolDefinition } from '../../schema/model-call.ts';
import type { ParsedRequest } from '../front-wire.ts';

const Text = z.string().nullish();
const ContentPart = z.union([z.string(), z.looseObject({ type: Text, text: Text, refusal: Text })]);
const Content = z.union([z.string(), z.array(ContentPart)]).nullish();

const Item = z.looseObject({
  type: Text,
  role: Text,
  content: Content,
  id: Text,
  call_id: Text,
  name: Text,
  arguments: z.unknown().optional(),
  output: z.unknown().optional(),
  summary: z.array(z.looseObject({ text: Text })).nullish(),
  encrypted_content: Text,
});
type Item = z.infer<typeof Item>;

const ResponsesBody = z.looseObject({
  instructions: Text,
  input: z.union([z.string().min(1), z.array(Item).min(1)]),
  tools: z
    .array(
      z.looseObject({
        type: Text,
        name: Text,
        description: Text,
        parameters: z.record(z.string(), z.unknown()).nullish(),
      }),
    )
    .nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  stream: z.boolean().nullish(),
});

/**
 * Takes from an OpenAI Responses body what may pass: instructions, message texts, function calls and their outputs,
 * reasoning that carries its own contents, function tools, JSON mode, streaming. Everything else is dropped: model,
 * sampling, earlier responses and items kept at the provider, `store`, images, files, hosted tools.
 */
export function parseResponsesRequest(body: unknown): ParsedRequest {
  const parsed = ResponsesBody.safeParse(body);
  if (!parsed.success) return { kind: 'invalid', message: z.prettifyError(parsed.error).slice(0, 500) };
  const { instructions, input, tools, text, stream } = parsed.data;
  const items: Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const odd = items.find((item) => !isUsable(item));
  if (odd !== undefined) return { kind: 'invalid', message: `an input item of no known shape: ${describe(odd)}` };
  const format = text?.format?.type;
  return {
    kind: 'parsed',
    draft: {
      messages: [
        ...(typeof instructions === 'string' && instructions !== ''
          ? [{ role: 'system' as const, content: partsOf(instructions) }]
          : []),
        ...messagesOf(items),
      ],
      tools: (tools ?? []).flatMap(toolOf),
      responseFormat: format === 'json_object' || format === 'json_schema' ? 'json' : 'text',
    },
    stream: stream === true,
    includeUsage: true,
  };
}

const ROLES: Readonly<Record<string, 'system' | 'user' | 'assistant'>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
};

function isMessage({ type, role }: Item): boolean {
  return type === 'message' || ((type === undefined || type === null) && typeof role === 'string');
}

/** Items that only the provider could fill, such as references and calls of hosted tools, are usable as nothing. */
function isUsable(item: Item): boolean {
  if (isMessage(item)) return ROLES[item.role ?? ''] !== undefined;
  if (item.type === 'function_call' || item.type === 'function_call_output') return typeof item.call_id === 'string';
  return typeof item.type === 'string';
}

function describe({ type, role }: Item): string {
  return JSON.stringify({ type, role }).slice(0, 100);
}

/** What the model said in one turn comes as several items: neighbours are one message. */
function messagesOf(items: readonly Item[]): Message[] {
  const messages: Message[] = [];
  const turn = (): Extract<Message, { role: 'assistant' }> => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const opened: Extract<Message, { role: 'assistant' }> = { role: 'assistant', content: [], toolCalls: [] };
    messages.push(opened);
    return opened;
  };
  for (const item of items) {
    if (isMessage(item)) {
      const role = ROLES[item.role ?? ''] ?? 'user';
      const content = partsOf(item.content);
      if (role === 'assistant') turn().content.push(...content);
      else messages.push({ role, content });
    } else if (item.type === 'function_call') {
      const { call_id: id, name, arguments: written } = item;
      const text = typeof written === 'string' ? written : written === undefined ? '' : JSON.stringify(written);
      turn().toolCalls.push({ id: id ?? '', name: name ?? '', arguments: text });
    } else if (item.type === 'function_call_output') {
      const output = Content.safeParse(item.output);
      messages.push({
        role: 'tool',
        toolCallId: item.call_id ?? '',
        content: output.success ? partsOf(output.data) : [],
      });
    } else if (item.type === 'reasoning') {
      const reasoning = reasoningOf(item);
      if (reasoning.length === 0) continue;
      const opened = turn();
      opened.reasoning = [...(opened.reasoning ?? []), ...reasoning];
    }
  }
  return messages;
}

function reasoningOf({ id, summary, encrypted_content: encrypted }: Item): Reasoning[] {
  if (typeof encrypted !== 'string' || encrypted === '') return [];
  return [{ kind: 'item', id: id ?? '', summary: (summary ?? []).map((part) => part.text ?? ''), encrypted }];
}

function partsOf(content: z.infer<typeof Content>): Part[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): Part[] => {
    const text = typeof part === 'string' ? part : (part.text ?? part.refusal);
    return typeof text === 'string' ? [{ type: 'text', text }] : [];
  });
}

type BodyTool = NonNullable<z.infer<typeof ResponsesBody>['tools']>[number];

function toolOf({ type, name, description, parameters }: BodyTool): ToolDefinition[] {
  if (type !== 'function' || typeof name !== 'string' || name === '') return [];
  return [{ name, description: description ?? '', parameters: parameters ?? { type: 'object', properties: {} } }];
}
