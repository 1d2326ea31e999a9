import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Agent, fetch as undiciFetch } from 'undici';
import type { Lease } from '../../src/schema/lease.ts';
import type { Wire } from '../../src/schema/model-call.ts';

/** What a client of any wire got, in one shape. */
export interface Heard {
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly ended: 'stop' | 'tools' | 'length' | 'refusal';
  readonly usage: { readonly input: number; readonly output: number; readonly read: number; readonly written: number };
  /** What the client has to send back with its next request to continue. */
  readonly said: readonly unknown[];
}

/** One call over a lease's socket through the SDK of a wire's own provider. */
export class SdkClients {
  readonly #lease: Pick<Lease, 'socketDirectory' | 'token'>;
  readonly #dispatcher: Agent;

  constructor(lease: Pick<Lease, 'socketDirectory' | 'token'>) {
    this.#lease = lease;
    const socketPath = join(lease.socketDirectory, 'gateway.sock');
    this.#dispatcher = new Agent({ connections: 1, connect: { socketPath } });
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  openai(call: number): OpenAI {
    return new OpenAI({ ...this.#options(call), baseURL: 'http://lease/v1' });
  }

  anthropic(call: number): Anthropic {
    return new Anthropic({ ...this.#options(call), baseURL: 'http://lease' });
  }

  /** `body` is what the wire's own documentation says, without `stream`. */
  async ask(wire: Wire, call: number, body: object, stream: boolean): Promise<Heard> {
    switch (wire) {
      case 'chat': {
        const { completions } = this.openai(call).chat;
        const asked = body as OpenAI.ChatCompletionCreateParamsNonStreaming;
        const streamed = { ...asked, stream: true as const, stream_options: { include_usage: true } };
        return heardByChat(
          stream ? await completions.stream(streamed).finalChatCompletion() : await completions.create(asked),
        );
      }
      case 'responses': {
        const { responses } = this.openai(call);
        const asked = body as OpenAI.Responses.ResponseCreateParamsNonStreaming;
        return heardByResponses(
          stream ? await responses.stream({ ...asked, stream: true }).finalResponse() : await responses.create(asked),
        );
      }
      case 'messages': {
        const { messages } = this.anthropic(call);
        const asked = body as Anthropic.MessageCreateParamsNonStreaming;
        return heardByMessages(stream ? await messages.stream(asked).finalMessage() : await messages.create(asked));
      }
    }
  }

  #options(call: number) {
    const dispatcher = this.#dispatcher;
    const fetch = (url: unknown, init: unknown): Promise<Response> =>
      undiciFetch(url as string, { ...(init as object), dispatcher });
    return {
      apiKey: this.#lease.token,
      maxRetries: 0,
      defaultHeaders: { 'x-anneal-call': String(call) },
      fetch: fetch as typeof globalThis.fetch,
    };
  }
}

function heardByChat({ choices, usage }: OpenAI.ChatCompletion): Heard {
  const choice = choices[0];
  if (choice === undefined) throw new Error('no choice');
  const { message } = choice;
  const reasons = { stop: 'stop', tool_calls: 'tools', length: 'length' } as Readonly<Record<string, Heard['ended']>>;
  return {
    text: message.content ?? message.refusal ?? '',
    toolCalls: (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }]
        : [],
    ),
    ended: message.refusal ? 'refusal' : (reasons[choice.finish_reason] ?? 'stop'),
    usage: {
      input: usage?.prompt_tokens ?? -1,
      output: usage?.completion_tokens ?? -1,
      read: usage?.prompt_tokens_details?.cached_tokens ?? -1,
      written: usage?.prompt_tokens_details?.cache_write_tokens ?? -1,
    },
    said: [{ role: 'assistant', content: message.content, tool_calls: message.tool_calls }],
  };
}

function heardByResponses({ output, usage, status }: OpenAI.Responses.Response): Heard {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const toolCalls = output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
      : [],
  );
  const refusals = parts.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  const refused = refusals.length > 0;
  return {
    text: refused ? refusals.join('') : parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
    toolCalls,
    ended: refused ? 'refusal' : status === 'incomplete' ? 'length' : toolCalls.length > 0 ? 'tools' : 'stop',
    usage: {
      input: usage?.input_tokens ?? -1,
      output: usage?.output_tokens ?? -1,
      read: usage?.input_tokens_details.cached_tokens ?? -1,
      written: usage?.input_tokens_details.cache_write_tokens ?? -1,
    },
    said: output,
  };
}

function heardByMessages({ content, stop_reason: reason, usage }: Anthropic.Message): Heard {
  const reasons = { tool_use: 'tools', max_tokens: 'length', refusal: 'refusal' } as Readonly<
    Record<string, Heard['ended']>
  >;
  const read = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    toolCalls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    ended: reasons[reason ?? ''] ?? 'stop',
    usage: { input: usage.input_tokens + read + written, output: usage.output_tokens, read, written },
    said: [{ role: 'assistant', content }],
  };
}
