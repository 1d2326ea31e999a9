import { halves, sealOf, unknownKey } from './server-wire.ts';
import type { ServerAnswer, ServerEvent, ServerWire } from './server-wire.ts';

type Body = Record<string, unknown>;
interface Turn {
  readonly role: string;
  readonly content: string | readonly Body[];
}

const KNOWN = [
  ...['model', 'max_tokens', 'system', 'messages', 'tools', 'temperature', 'top_p', 'thinking', 'output_config'],
  'stream',
];

/** Anthropic messages. */
export const messagesServerWire: ServerWire = {
  path: '/v1/messages',
  flawOf: (body) => {
    const unknown = unknownKey(body, KNOWN);
    if (unknown !== null) return `${unknown}: Extra inputs are not permitted`;
    if (!Number.isInteger(body['max_tokens']) || Number(body['max_tokens']) < 1) return 'max_tokens: Field required';
    if (Number(body['temperature'] ?? 0) > 1) return 'temperature: must be at most 1';
    const turns = (body['messages'] ?? []) as Turn[];
    if (turns.length === 0) return 'messages: at least one message is required';
    if (cacheMarks(body) > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
    return flawOfTurns(turns);
  },
  cachePoints: (body) => {
    const points: string[] = [];
    let prefix = '';
    const blocks = [
      ...((body['tools'] ?? []) as Body[]),
      ...((body['system'] ?? []) as Body[]),
      ...((body['messages'] ?? []) as Turn[]).flatMap(({ content }) => (typeof content === 'string' ? [] : content)),
    ];
    for (const { cache_control: mark, ...block } of blocks) {
      prefix += JSON.stringify(block);
      if (mark !== undefined) points.push(prefix);
    }
    return points;
  },
  reply: (answer) => ({
    ...frame(answer),
    ...(answer.shape === 'absent-content' ? {} : { content: blocksOf(answer) }),
    stop_reason: stopReasonOf(answer),
    ...shownUsage(answer),
  }),
  events: (answer) => {
    const { inputTokens, cacheReadTokens, cacheWriteTokens } = answer.usage;
    const begun = {
      input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
      cache_read_input_tokens: cacheReadTokens,
      cache_creation_input_tokens: cacheWriteTokens,
      output_tokens: 1,
    };
    const message = { ...frame(answer), content: [], stop_reason: null, usage: begun };
    const blocks = answer.shape === 'absent-content' ? [] : blocksOf(answer);
    return [
      event('message_start', { message }),
      event('ping', {}),
      ...blocks.flatMap(blockEvents),
      event('message_delta', {
        delta: { stop_reason: stopReasonOf(answer), stop_sequence: null },
        ...endUsage(answer),
      }),
      event('message_stop', {}),
    ];
  },
  error: (_status, type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_1' }),
  errorEvent: (message) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message } })}\n\n`,
};

function cacheMarks(body: Body): number {
  return JSON.stringify(body).split('"cache_control":{"type":"ephemeral"}').length - 1;
}

/** Each call of a turn is answered at the beginning of the next, and nothing is answered that was not called. */
function flawOfTurns(turns: readonly Turn[]): string | null {
  let open = new Set<unknown>();
  for (const [at, { role, content }] of turns.entries()) {
    if (role !== 'user' && role !== 'assistant') return `messages.${at}.role: unexpected value`;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as Body] : content;
    if (blocks.length === 0) return `messages.${at}: content must not be empty`;
    const results = blocks.filter((block) => block['type'] === 'tool_result');
    if (results.some((block) => !open.delete(block['tool_use_id']))) return 'unexpected `tool_use_id` in `tool_result`';
    if (open.size > 0) return '`tool_use` ids were found without `tool_result` blocks immediately after';
    if (results.length > 0 && blocks.findIndex((block) => block['type'] !== 'tool_result') < results.length)
      if (results.length < blocks.length) return 'tool results come first';
    const flaw = blocks.map(flawOfBlock).find((found) => found !== null);
    if (flaw !== undefined) return `messages.${at}: ${flaw}`;
    open = new Set(blocks.filter((block) => block['type'] === 'tool_use').map((block) => block['id']));
  }
  return null;
}

function flawOfBlock(block: Body): string | null {
  switch (block['type']) {
    case 'text':
      return block['text'] === '' ? 'text content blocks must be non-empty' : null;
    case 'tool_use':
      if (!/^[\w-]+$/.test(String(block['id']))) return 'tool_use.id: String should match pattern';
      return typeof block['input'] === 'object' && block['input'] !== null && !Array.isArray(block['input'])
        ? null
        : 'tool_use.input: Input should be a valid dictionary';
    case 'tool_result':
      return null;
    case 'thinking':
      return block['signature'] === sealOf(String(block['thinking']))
        ? null
        : 'Invalid `signature` in `thinking` block';
    default:
      return `Input tag '${String(block['type'])}' found`;
  }
}

function frame({ id, model }: ServerAnswer): Body {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function stopReasonOf({ finishReason }: ServerAnswer): string {
  const reasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as Readonly<
    Record<string, string>
  >;
  return reasons[finishReason] ?? 'refusal';
}

function blocksOf(answer: ServerAnswer): Body[] {
  const { text, thought, toolCalls } = answer;
  switch (answer.shape) {
    case 'list-content':
      return halves(text).map((part) => ({ type: 'text', text: part }));
    case 'malformed-call':
      return [{ type: 'tool_use', input: '{"command": ' }];
    case 'absent-content':
    case 'plain':
      break;
  }
  return [
    ...(thought === null ? [] : [{ type: 'thinking', thinking: thought, signature: sealOf(thought) }]),
    ...(text === '' ? [] : [{ type: 'text', text, citations: null }]),
    ...toolCalls.map(({ id, name, arguments: written }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(written),
    })),
  ];
}

function blockEvents(block: Body, index: number): ServerEvent[] {
  const grow = (delta: object): ServerEvent => event('content_block_delta', { index, delta }, true);
  const { opening, pieces } = piecesOf(block);
  return [
    event('content_block_start', { index, content_block: opening }, block['type'] === 'tool_use'),
    ...pieces.map(grow),
    event('content_block_stop', { index }),
  ];
}

function piecesOf(block: Body): { opening: Body; pieces: object[] } {
  switch (block['type']) {
    case 'thinking':
      return {
        opening: { type: 'thinking', thinking: '', signature: '' },
        pieces: [
          { type: 'thinking_delta', thinking: block['thinking'] },
          { type: 'signature_delta', signature: block['signature'] },
        ],
      };
    case 'tool_use': {
      const written = typeof block['input'] === 'string' ? block['input'] : JSON.stringify(block['input']);
      return {
        opening: { ...block, input: {} },
        pieces: ['', ...halves(written)].map((text) => ({ type: 'input_json_delta', partial_json: text })),
      };
    }
    default:
      return {
        opening: { ...block, text: '' },
        pieces: halves(String(block['text'])).map((text) => ({ type: 'text_delta', text })),
      };
  }
}

function event(type: string, fields: object, piece = false): ServerEvent {
  return { text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`, piece };
}

function shownUsage({ usage, shownUsage: shown }: ServerAnswer): Body {
  switch (shown) {
    case 'missing':
      return {};
    case 'null':
      return { usage: null };
    case 'zero':
      return { usage: { input_tokens: 0, output_tokens: 0 } };
    case 'whole':
      return {
        usage: {
          input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
          cache_read_input_tokens: usage.cacheReadTokens,
          cache_creation_input_tokens: usage.cacheWriteTokens,
          output_tokens: usage.outputTokens,
          output_tokens_details: { thinking_tokens: usage.reasoningTokens },
          service_tier: 'standard',
        },
      };
  }
}

/** The end of a stream tells totals: a server that shows none of them has shown only its beginning. */
function endUsage(answer: ServerAnswer): Body {
  if (answer.shownUsage === 'zero')
    return { usage: { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 } };
  return shownUsage(answer);
}
