import { prefixes } from './chat-server-wire.ts';
import { halves, sealOf, unknownKey } from './server-wire.ts';
import type { ServerAnswer, ServerEvent, ServerWire } from './server-wire.ts';

type Body = Record<string, unknown>;

const KNOWN = [
  ...['model', 'instructions', 'input', 'max_output_tokens', 'store', 'tools', 'temperature', 'top_p'],
  ...['reasoning', 'include', 'text', 'stream'],
];

/** OpenAI Responses. */
export const responsesServerWire: ServerWire = {
  path: '/v1/responses',
  flawOf: (body) => {
    const unknown = unknownKey(body, KNOWN);
    if (unknown !== null) return `Unknown parameter: '${unknown}'.`;
    if (body['store'] !== false) return 'this server keeps nothing';
    if (!Array.isArray(body['input']) || body['input'].length === 0) return 'input must not be empty';
    return flawOfItems(body['input'] as Body[]);
  },
  cachePoints: (body) =>
    prefixes((body['input'] ?? []) as unknown[], [body['tools'] ?? [], body['instructions'] ?? '']),
  reply: (answer) => responseOf(answer, itemsOf(answer)),
  events: (answer) => {
    let sequence = 0;
    const event = (type: string, fields: object, piece = false): ServerEvent => ({
      text: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`,
      piece,
    });
    const opening = { ...responseOf(answer, []), status: 'in_progress', usage: null, incomplete_details: null };
    const items = itemsOf(answer);
    return [
      event('response.created', { response: opening }),
      event('response.in_progress', { response: opening }),
      ...items.flatMap((item, at) => itemEvents(item, at, event)),
      event(answer.finishReason === 'length' ? 'response.incomplete' : 'response.completed', {
        response: responseOf(answer, items),
      }),
    ];
  },
  error: (_status, type, message) => ({ error: { message, type, code: null, param: null } }),
  errorEvent: (message) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', code: 'server_error', message, param: null, sequence_number: 9 })}\n\n`,
};

function flawOfItems(items: readonly Body[]): string | null {
  const open = new Set<unknown>();
  for (const item of items) {
    switch (item['type'] ?? 'message') {
      case 'message':
        if (!['system', 'developer', 'user', 'assistant'].includes(String(item['role']))) return 'an unknown role';
        break;
      case 'function_call':
        if (typeof item['arguments'] !== 'string') return 'arguments must be a string';
        open.add(item['call_id']);
        break;
      case 'function_call_output':
        if (!open.delete(item['call_id'])) return `No tool call found for call_id ${String(item['call_id'])}.`;
        break;
      case 'reasoning': {
        const [summary] = (item['summary'] ?? []) as { text: string }[];
        if (item['encrypted_content'] !== sealOf(summary?.text ?? '')) return 'the encrypted content is not ours';
        break;
      }
      default:
        return `Invalid value: '${String(item['type'])}'.`;
    }
  }
  return open.size === 0 ? null : `No tool output found for function call ${[...open].join(', ')}.`;
}

function responseOf(answer: ServerAnswer, output: readonly Body[]): Body {
  const cut = answer.finishReason === 'length';
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: 1,
    status: cut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    model: answer.model,
    output,
    parallel_tool_calls: true,
    store: false,
    ...shownUsage(answer),
  };
}

function itemsOf(answer: ServerAnswer): Body[] {
  const { text, thought, toolCalls, id } = answer;
  const message = (content: unknown): Body => ({
    id: `msg_${id}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    ...(content === undefined ? {} : { content }),
  });
  const call = (callId: string, name: string | undefined, written: string, at: number): Body => ({
    id: `fc_${id}_${at}`,
    type: 'function_call',
    status: 'completed',
    call_id: callId,
    name,
    arguments: written,
  });
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  if (answer.finishReason === 'refusal') return [message([{ type: 'refusal', refusal: text }])];
  switch (answer.shape) {
    case 'list-content':
      return [message([part, { ...part, text: '' }])];
    case 'absent-content':
      return [message(undefined)];
    case 'malformed-call':
      return [call('c1', undefined, '{"command": ', 0)];
    case 'plain':
      break;
  }
  const summary = [{ type: 'summary_text', text: thought }];
  return [
    ...(thought === null
      ? []
      : [{ id: `rs_${id}`, type: 'reasoning', summary, encrypted_content: sealOf(thought), status: 'completed' }]),
    ...(text === '' ? [] : [message([part])]),
    ...toolCalls.map(({ id: callId, name, arguments: written }, at) => call(callId, name, written, at)),
  ];
}

function itemEvents(
  item: Body,
  at: number,
  event: (type: string, fields: object, piece?: boolean) => ServerEvent,
): ServerEvent[] {
  const place = { output_index: at };
  const opened = { ...item, status: 'in_progress' };
  if (item['type'] === 'function_call') {
    const written = String(item['arguments']);
    return [
      event('response.output_item.added', { ...place, item: { ...opened, arguments: '' } }, true),
      ...halves(written).map((delta) =>
        event('response.function_call_arguments.delta', { ...place, item_id: item['id'], delta }, true),
      ),
      event('response.function_call_arguments.done', { ...place, item_id: item['id'], arguments: written }),
      event('response.output_item.done', { ...place, item }),
    ];
  }
  const part = (Array.isArray(item['content']) ? item['content'][0] : undefined) as Body | undefined;
  const inside = { ...place, item_id: item['id'], content_index: 0 };
  const pieces =
    typeof part?.['text'] === 'string'
      ? halves(part['text']).map((delta) =>
          event('response.output_text.delta', { ...inside, delta, logprobs: [] }, true),
        )
      : typeof part?.['refusal'] === 'string'
        ? [event('response.refusal.delta', { ...inside, delta: part['refusal'] }, true)]
        : [];
  return [
    event('response.output_item.added', { ...place, item: { ...opened, content: [] } }),
    ...(pieces.length > 0 ? [event('response.content_part.added', { ...inside, part: { ...part, text: '' } })] : []),
    ...pieces,
    event('response.output_item.done', { ...place, item }),
  ];
}

function shownUsage({ usage, shownUsage: shown }: ServerAnswer): object {
  const told = (input: number, output: number, cached: number, written: number, reasoning: number): object => ({
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    },
  });
  switch (shown) {
    case 'missing':
      return {};
    case 'null':
      return { usage: null };
    case 'zero':
      return told(0, 0, 0, 0, 0);
    case 'whole': {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
      return told(inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens);
    }
  }
}
