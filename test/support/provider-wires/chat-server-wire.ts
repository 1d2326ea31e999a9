import { halves, unknownKey } from './server-wire.ts';
import type { ServerAnswer, ServerEvent, ServerWire } from './server-wire.ts';

type Body = Record<string, unknown>;
interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly type: string }[];
}

const KNOWN = [
  ...['model', 'messages', 'n', 'seed', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
  ...['reasoning_effort', 'tools', 'response_format', 'stream', 'stream_options'],
];

/** OpenAI chat completions. */
export const chatServerWire: ServerWire = {
  path: '/v1/chat/completions',
  flawOf: (body) => {
    const unknown = unknownKey(body, KNOWN);
    if (unknown !== null) return `Unrecognized request argument supplied: ${unknown}`;
    if (!Array.isArray(body['messages']) || body['messages'].length === 0) return 'messages must not be empty';
    if (body['stream_options'] !== undefined && body['stream'] !== true) return 'stream_options without stream';
    return flawOfCalls(body['messages'] as ChatMessage[]);
  },
  cachePoints: (body) => prefixes((body['messages'] ?? []) as unknown[], [body['tools'] ?? []]),
  reply: (answer) => ({
    ...frame(answer, 'chat.completion'),
    choices: [{ index: 0, message: messageOf(answer), finish_reason: finishOf(answer) }],
    ...shownUsage(answer),
  }),
  events: (answer) => {
    const chunk = (fields: object, piece: boolean): ServerEvent => ({
      text: `data: ${JSON.stringify({ ...frame(answer, 'chat.completion.chunk'), ...fields })}\n\n`,
      piece,
    });
    const shown = shownUsage(answer);
    return [
      chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }, false),
      ...deltasOf(messageOf(answer)).map((delta) =>
        chunk({ choices: [{ index: 0, delta, finish_reason: null }] }, true),
      ),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishOf(answer) }] }, false),
      ...(Object.keys(shown).length > 0 ? [chunk({ choices: [], ...shown }, false)] : []),
      { text: 'data: [DONE]\n\n', piece: false },
    ];
  },
  error: (_status, type, message) => ({ error: { message, type, code: null, param: null } }),
  errorEvent: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error' } })}\n\n`,
};

/** The prompt, up to and with each element. */
export function prefixes(elements: readonly unknown[], before: readonly unknown[]): string[] {
  let prefix = JSON.stringify(before);
  return elements.map((element) => (prefix += JSON.stringify(element)));
}

/** Each call is answered before anything else is said, and nothing is answered that was not called. */
function flawOfCalls(messages: readonly ChatMessage[]): string | null {
  let open = new Set<string>();
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') {
      if (!open.delete(id ?? '')) return `a tool message that answers no call: ${id}`;
      continue;
    }
    if (open.size > 0) return `calls without a response: ${[...open].join(', ')}`;
    open = new Set((calls ?? []).map((call) => call.id));
  }
  return null;
}

function frame(answer: ServerAnswer, object: string): Body {
  return { id: answer.id, object, created: 1, model: answer.model };
}

function finishOf({ finishReason }: ServerAnswer): string {
  return finishReason === 'refusal' ? 'stop' : finishReason;
}

function messageOf(answer: ServerAnswer): Body {
  if (answer.message !== null) return { role: 'assistant', ...answer.message };
  const { text, toolCalls } = answer;
  if (answer.finishReason === 'refusal') return { role: 'assistant', content: null, refusal: text };
  switch (answer.shape) {
    case 'list-content':
      return { role: 'assistant', content: [{ type: 'text', text }] };
    case 'absent-content':
      return { role: 'assistant' };
    case 'malformed-call':
      return { role: 'assistant', content: null, tool_calls: [{ function: { arguments: '{"command": ' } }] };
    case 'plain':
      break;
  }
  const calls = toolCalls.map(({ id, name, arguments: written }) => ({
    id,
    type: 'function',
    function: { name, arguments: written },
  }));
  return { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

/** A message in pieces: its text in two, each tool call with its arguments in two. */
function deltasOf(message: Body): object[] {
  const texts = typeof message['content'] === 'string' ? halves(message['content']) : [];
  const calls = (message['tool_calls'] ?? []) as { id?: string; function: { name?: string; arguments: string } }[];
  return [
    ...texts.map((content) => ({ content })),
    ...calls.flatMap(({ id, function: { name, arguments: written } }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...halves(written).map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
    ...(typeof message['refusal'] === 'string' ? [{ refusal: message['refusal'] }] : []),
  ];
}

function shownUsage({ usage, shownUsage: shown }: ServerAnswer): object {
  switch (shown) {
    case 'missing':
      return {};
    case 'null':
      return { usage: null };
    case 'zero':
      return { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
    case 'whole':
      return {
        usage: {
          prompt_tokens: usage.inputTokens,
          completion_tokens: usage.outputTokens,
          total_tokens: usage.inputTokens + usage.outputTokens,
          prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
          completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
        },
      };
  }
}
