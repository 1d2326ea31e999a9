import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Usage } from '../../src/schema/model-call.ts';
import { chatServerWire } from './provider-wires/chat-server-wire.ts';
import type { Script } from './provider-wires/faults.ts';
import { messagesServerWire } from './provider-wires/messages-server-wire.ts';
import { createPromptCache } from './provider-wires/prompt-cache.ts';
import { responsesServerWire } from './provider-wires/responses-server-wire.ts';
import { serveScript } from './provider-wires/serve-script.ts';
import type { ServerAnswer, ServerWire } from './provider-wires/server-wire.ts';

export type { Script } from './provider-wires/faults.ts';

export interface SeenRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
}

/** What the server itself counted, as a provider's bill would. */
export interface Bill {
  calls: number;
  tokens: number;
}

/** What the model behind a server says; cache figures are the server's to add. */
export type ServedReply = Pick<ServerAnswer, 'text' | 'toolCalls' | 'finishReason' | 'thought'> & {
  readonly id: string;
  readonly usage: Pick<Usage, 'inputTokens' | 'outputTokens' | 'reasoningTokens'>;
};

export interface ProviderServerOptions {
  /** The model behind the server; by default one that always says the same. */
  readonly answer?: (path: string, body: Record<string, unknown>) => ServedReply;
  /** Every request needs this key; none by default. */
  readonly key?: string;
  /** Refuse with a 400 what the real API would refuse. */
  readonly strict?: boolean;
  /** Added to the model's name as the one that served. */
  readonly servedSuffix?: string;
  /** Treatment of request `count`, from 1, where nothing is scripted for it; by default all are answered. */
  readonly profile?: (count: number, body: Record<string, unknown>) => Script;
  /** Between billing and answering. */
  readonly delayMs?: number;
}

export interface ProviderServer {
  /** Base URL, `/v1` included; all three wires are served below it. */
  readonly baseUrl: string;
  readonly bill: Bill;
  /** The bill by kind of token: cache reads and writes are parts of the input, reasoning of the output. */
  readonly billed: Usage;
  readonly seen: readonly SeenRequest[];
  /** Reasons of the requests that were refused as flawed. */
  readonly flaws: readonly string[];
  /** Requests without the key. */
  readonly refused: () => number;
  /** Requests that were billed and are not answered yet. */
  readonly inFlight: () => number;
  /** Treatment of the next requests, in order, in place of what was left of an earlier script; then all are answered. */
  readonly script: (...next: readonly Script[]) => void;
  /** From now on requests need this key. */
  readonly rotate: (key: string) => void;
  /** Resolves when request number `count`, from 1, has arrived. */
  readonly arrived: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const WIRES: readonly ServerWire[] = [chatServerWire, responsesServerWire, messagesServerWire];

/** A provider of all three wires with scripted faults, streams included, a prompt cache, and a bill of its own. */
export async function startProviderServer(options: ProviderServerOptions = {}): Promise<ProviderServer> {
  const queue: Script[] = [];
  const seen: SeenRequest[] = [];
  const flaws: string[] = [];
  const bill: Bill = { calls: 0, tokens: 0 };
  const billed = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const waiting: { count: number; resolve: () => void }[] = [];
  const cache = createPromptCache();
  let { key } = options;
  let refused = 0;
  let inFlight = 0;

  const charge = (usage: Usage): void => {
    bill.calls += 1;
    bill.tokens += usage.inputTokens + usage.outputTokens;
    for (const kind of Object.keys(billed) as (keyof Usage)[]) billed[kind] += usage[kind];
  };

  const take = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = incoming.url ?? '';
    const wire = WIRES.find((known) => known.path === path);
    const body = await readJson(incoming);
    if (wire === undefined) return send(outgoing, 404, { error: { message: 'no such path', type: 'not_found' } });
    if (key !== undefined && keyOf(incoming) !== key) {
      refused += 1;
      return send(outgoing, 401, wire.error(401, 'authentication_error', 'no key'));
    }
    seen.push({ path, body, headers: incoming.headers });
    for (const waiter of waiting) if (seen.length >= waiter.count) waiter.resolve();
    const flaw = options.strict === true ? wire.flawOf(body) : null;
    if (flaw !== null) {
      flaws.push(flaw);
      return send(outgoing, 400, wire.error(400, 'invalid_request_error', flaw));
    }
    const script = queue.shift() ?? options.profile?.(seen.length, body) ?? { kind: 'answer' };
    const reply = options.answer?.(path, body) ?? ordinaryReply(script, body, bill.calls + 1);
    const model = `${String(body['model'])}${options.servedSuffix ?? ''}`;
    inFlight += 1;
    await serveScript(script, {
      wire,
      outgoing,
      streamed: body['stream'] === true,
      delayMs: options.delayMs ?? 0,
      reply,
      model,
      split: (inputTokens) => cache.split(wire.cachePoints(body), JSON.stringify(body).length, inputTokens),
      charge,
    });
    inFlight -= 1;
  };

  const server: Server = createServer((incoming, outgoing) => void take(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    bill,
    billed,
    seen,
    flaws,
    refused: () => refused,
    inFlight: () => inFlight,
    script: (...next) => queue.splice(0, queue.length, ...next),
    rotate: (next) => {
      key = next;
    },
    arrived: (count) =>
      seen.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  return typeof key === 'string' ? key : undefined;
}

/** What the default model says: the scripted text, or that all is well. */
function ordinaryReply(script: Script, body: Record<string, unknown>, count: number): ServedReply {
  const scripted: Partial<Extract<Script, { kind: 'answer' }>> = script.kind === 'answer' ? script : {};
  const { text = 'All sheets are in order.', thought = null, toolCalls = [], finishReason } = scripted;
  const calls = toolCalls.map(({ id, function: { name, arguments: written } }) => ({ id, name, arguments: written }));
  const { messages, input, system, instructions, tools } = body;
  return {
    id: `r${count}`,
    text,
    thought,
    toolCalls: calls,
    finishReason: finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: {
      inputTokens: 7 + tokensOf([messages ?? input, system ?? instructions ?? '', tools ?? []]),
      outputTokens: 1 + tokensOf([text, calls, thought ?? '']),
      reasoningTokens: thought === null ? 0 : tokensOf(thought),
    },
  };
}

/** A tokenizer of its own: five bytes of JSON are a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 5);
}
