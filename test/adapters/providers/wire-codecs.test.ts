import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatCodec } from '../../../src/adapters/providers/chat-codec.ts';
import { messagesCodec } from '../../../src/adapters/providers/messages-codec.ts';
import { responsesCodec } from '../../../src/adapters/providers/responses-codec.ts';
import type { Delta } from '../../../src/contract/provider-port.ts';
import { parseChatRequest } from '../../../src/gateway/chat-completions/parse-chat-request.ts';
import { parseMessagesRequest } from '../../../src/gateway/messages/parse-messages-request.ts';
import { parseResponsesRequest } from '../../../src/gateway/responses/parse-responses-request.ts';
import type { Message, ModelRequest, ModelResponse, Reasoning, Wire } from '../../../src/schema/model-call.ts';
import { binding, speaking } from '../../support/gateway-fixture.ts';
import { chatServerWire } from '../../support/provider-wires/chat-server-wire.ts';
import { messagesServerWire } from '../../support/provider-wires/messages-server-wire.ts';
import { responsesServerWire } from '../../support/provider-wires/responses-server-wire.ts';
import type { ServerAnswer } from '../../support/provider-wires/server-wire.ts';

const WIRES = [
  { wire: 'chat' as Wire, codec: chatCodec, server: chatServerWire, parse: parseChatRequest },
  { wire: 'responses' as Wire, codec: responsesCodec, server: responsesServerWire, parse: parseResponsesRequest },
  { wire: 'messages' as Wire, codec: messagesCodec, server: messagesServerWire, parse: parseMessagesRequest },
];

const word = fc.stringMatching(/^[\w-]{1,12}$/);
const someText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const call = fc.record({
  id: word,
  name: word,
  arguments: fc.dictionary(word, fc.jsonValue()).map((value) => JSON.stringify(value)),
});
const calls = fc.uniqueArray(call, { maxLength: 3, selector: ({ id }) => id });
const tokens = fc.integer({ min: 1, max: 1_000_000 });
const usage = fc
  .tuple(tokens, tokens, tokens, tokens, tokens)
  .map(([fresh, cacheReadTokens, cacheWriteTokens, outputTokens, reasoning]) => ({
    inputTokens: fresh + cacheReadTokens + cacheWriteTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
  }));
const answer: fc.Arbitrary<ServerAnswer> = fc
  .record({
    id: word,
    model: word,
    text: fc.oneof(fc.constant(''), someText),
    toolCalls: calls,
    thought: fc.option(someText),
    usage,
    shape: fc.constantFrom('plain', 'plain', 'plain', 'list-content', 'absent-content'),
    shownUsage: fc.constantFrom('whole', 'whole', 'null', 'missing', 'zero'),
    cut: fc.boolean(),
  })
  .map(({ cut, ...rest }) => ({
    ...rest,
    message: null,
    finishReason: cut ? 'length' : rest.toolCalls.length > 0 && rest.shape === 'plain' ? 'tool_calls' : 'stop',
  }));

/** What makes two responses say the same: texts may come in other parts, objects in other white space. */
function said(response: ModelResponse | null) {
  if (response === null) return null;
  const { content, toolCalls, ...rest } = response;
  return {
    ...rest,
    text: content.map((part) => part.text).join(''),
    toolCalls: toolCalls.map(({ arguments: written, ...more }) => ({ ...more, input: JSON.parse(written) as unknown })),
  };
}

function dataOf(event: string): unknown[] {
  const line = event.split('\n').find((text) => text.startsWith('data: '));
  return line === undefined || line === 'data: [DONE]' ? [] : [JSON.parse(line.slice(6))];
}

describe.each(WIRES)('the $wire wire', ({ wire, codec, server, parse }) => {
  it('reads a reply and the stream of the same reply as one response, of which the pieces tell all', () => {
    fc.assert(
      fc.property(answer, (given) => {
        // A stream of chat has no lists.
        fc.pre(wire !== 'chat' || given.shape !== 'list-content');
        const whole = codec.reply(JSON.parse(JSON.stringify(server.reply(given))), 'asked');
        const stream = codec.openStream('asked');
        const deltas: Delta[] = [];
        for (const { text } of server.events(given)) for (const data of dataOf(text)) deltas.push(...stream.add(data));
        const streamed = stream.response();
        expect(said(streamed)).toEqual(said(whole));
        expect(whole.usage).toEqual(given.shownUsage === 'whole' ? given.usage : null);
        const pieces = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
        expect(pieces).toBe(whole.content.map((part) => part.text).join(''));
        for (const [index, { id, name, arguments: written }] of (streamed?.toolCalls ?? []).entries()) {
          const own = deltas.flatMap((delta) => (delta.kind === 'tool-call' && delta.index === index ? [delta] : []));
          expect(own.map((delta) => delta.arguments).join('')).toBe(written);
          expect(own[0]).toMatchObject({ id, name });
        }
        expect(deltas.flatMap((delta) => (delta.kind === 'reasoning' ? [delta.reasoning] : []))).toEqual(
          whole.reasoning ?? [],
        );
      }),
    );
  });

  it('takes a stream that ends before its closing event for no response at all', () => {
    fc.assert(
      fc.property(answer, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, share) => {
        const events = server.events(given);
        const closing = events.findLastIndex(({ text }) =>
          /finish_reason":"|response\.(completed|incomplete)|stop_reason":"/.test(text),
        );
        const stream = codec.openStream('asked');
        for (const { text } of events.slice(0, Math.floor(share * closing)))
          for (const data of dataOf(text)) stream.add(data);
        expect(stream.response()).toBeNull();
      }),
    );
  });

  it('writes a conversation so that it is read at the front as the same conversation, and no server finds a flaw', () => {
    const reasoning: Readonly<Record<Wire, fc.Arbitrary<Reasoning[]>>> = {
      chat: fc.constant([]),
      responses: fc.array(
        fc.record({
          kind: fc.constant('item' as const),
          id: word,
          summary: fc.array(someText, { maxLength: 1 }),
          encrypted: fc.constant(''),
        }),
        { maxLength: 1 },
      ),
      messages: fc.array(
        fc.record({ kind: fc.constant('thinking' as const), text: someText, signature: fc.constant('') }),
        { maxLength: 1 },
      ),
    };
    const seal = (text: string): string => Buffer.from(`sealed ${text}`).toString('base64');
    const sealed = (item: Reasoning): Reasoning => {
      if (item.kind === 'thinking') return { ...item, signature: seal(item.text) };
      return item.kind === 'item' ? { ...item, encrypted: seal(item.summary[0] ?? '') } : item;
    };
    const turn = fc.record({
      user: someText,
      text: fc.oneof(fc.constant(''), someText),
      calls,
      results: someText,
      thoughts: reasoning[wire],
    });
    fc.assert(
      fc.property(someText, fc.array(turn, { minLength: 1, maxLength: 4 }), fc.boolean(), (system, turns, marked) => {
        const mark = marked && wire === 'messages' ? { cache: true as const } : {};
        const part = (text: string) => ({ type: 'text' as const, text });
        const messages: Message[] = [
          { role: 'system', content: [{ ...part(system), ...mark }] },
          ...turns.flatMap(({ user, text, calls: made, results, thoughts }, at): Message[] => {
            const own = made.map((one) => ({ ...one, id: `t${at}-${one.id}` }));
            const thought = thoughts.map(sealed);
            const spoken = own.length === 0 && text === '' ? 'Done.' : text;
            return [
              { role: 'user', content: [part(user)] },
              {
                role: 'assistant',
                ...(thought.length === 0 ? {} : { reasoning: thought }),
                content: spoken === '' ? [] : [part(spoken)],
                toolCalls: own,
              },
              ...own.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content: [part(results)] })),
            ];
          }),
          { role: 'user', content: [part('Go on.')] },
        ];
        const request: ModelRequest = {
          ...{ model: 'm', messages, seed: 1, sampling: { maxOutputTokens: 9 }, responseFormat: 'text' },
          tools: [{ name: 'bash', description: 'run', parameters: { type: 'object' } }],
        };
        const model = binding('http://127.0.0.1:1/v1', speaking(wire));
        const body = JSON.parse(JSON.stringify(codec.request(request, model, false))) as Record<string, unknown>;
        expect(server.flawOf(body)).toBeNull();
        expect(parse(body)).toMatchObject({ kind: 'parsed', draft: { messages, tools: request.tools } });
      }),
    );
  });
});
