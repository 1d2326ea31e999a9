import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How one request is treated. `answer` is the ordinary reply; everything else is a way to go wrong. */
export type Script =
  | {
      readonly kind: 'answer';
      readonly text?: string;
      readonly toolCalls?: readonly unknown[];
      readonly delayMs?: number;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Closes the connection before a byte is sent. Nothing is billed. */
  | { readonly kind: 'reset' }
  /** Billed, then the connection is closed without a reply. */
  | { readonly kind: 'lost-reply' }
  /** Never answers. Billed when `billed` is set. */
  | { readonly kind: 'stall'; readonly billed?: boolean }
  /** Billed; a stream ends after its first piece, a plain reply in the middle of its JSON. */
  | { readonly kind: 'cut' }
  /** Billed; usage is null, or left out. */
  | { readonly kind: 'no-usage'; readonly how: 'null' | 'missing' | 'zero' }
  /** Billed; a stream whose pieces come with a pause before each. */
  | { readonly kind: 'slow-stream'; readonly gapMs: number }
  /** Billed; a stream that tells an error after its first piece. */
  | { readonly kind: 'error-stream' }
  | { readonly kind: 'html' }
  | { readonly kind: 'error-object' }
  /** Billed; the message's content and other fields as given. */
  | { readonly kind: 'message'; readonly message: Readonly<Record<string, unknown>>; readonly finishReason?: string }
  | { readonly kind: 'served'; readonly model: string };

export interface SeenRequest {
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
}

/** What the server itself counted, as a provider's bill would. */
export interface Bill {
  calls: number;
  tokens: number;
}

export interface ProviderServer {
  /** Base URL, `/v1` included. */
  readonly baseUrl: string;
  readonly bill: Bill;
  readonly seen: readonly SeenRequest[];
  /** Treatment of the next requests, in order; afterwards every request is answered. */
  readonly script: (...next: readonly Script[]) => void;
  /** Resolves when request number `count`, from 1, has arrived. */
  readonly arrived: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A server of the OpenAI chat completions wire with scripted faults, streams included, and a bill of its own. */
export async function startProviderServer(): Promise<ProviderServer> {
  const queue: Script[] = [];
  const seen: SeenRequest[] = [];
  const bill: Bill = { calls: 0, tokens: 0 };
  const waiting: { count: number; resolve: () => void }[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const take = async (): Promise<void> => {
      const body = await readJson(incoming);
      seen.push({ body, headers: incoming.headers });
      for (const waiter of waiting) if (seen.length >= waiter.count) waiter.resolve();
      await treat(queue.shift() ?? { kind: 'answer' }, body, outgoing, bill);
    };
    void take();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    bill,
    seen,
    script: (...next) => queue.push(...next),
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

async function treat(
  script: Script,
  body: Record<string, unknown>,
  outgoing: ServerResponse,
  bill: Bill,
): Promise<void> {
  const message = messageOf(script);
  const usage = usageOf(body, message);
  const charge = (): void => {
    bill.calls += 1;
    bill.tokens += usage.total_tokens;
  };
  switch (script.kind) {
    case 'status':
      outgoing.writeHead(script.status, { 'content-type': 'application/json', ...script.headers });
      outgoing.end(JSON.stringify(script.body ?? { error: { message: 'scripted', type: 'scripted', code: null } }));
      return;
    case 'reset':
      outgoing.destroy();
      return;
    case 'lost-reply':
      charge();
      outgoing.destroy();
      return;
    case 'stall':
      if (script.billed === true) charge();
      return;
    case 'html':
      outgoing.writeHead(200, { 'content-type': 'text/html' });
      outgoing.end('<html><body>Bad gateway</body></html>');
      return;
    case 'error-object':
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ error: { message: 'upstream failed', code: 502 } }));
      return;
    case 'answer':
      if (script.delayMs !== undefined) await pause(script.delayMs);
      break;
    case 'cut':
    case 'error-stream':
    case 'slow-stream':
    case 'no-usage':
    case 'message':
    case 'served':
      break;
  }
  charge();
  const model = script.kind === 'served' ? script.model : body['model'];
  const finishReason =
    script.kind === 'message' && script.finishReason !== undefined
      ? script.finishReason
      : message['tool_calls'] === undefined
        ? 'stop'
        : 'tool_calls';
  const reply = { id: `chatcmpl-${bill.calls}`, object: 'chat.completion', created: 1, model };
  if (body['stream'] === true) await streamReply(script, reply, message, finishReason, usage, outgoing);
  else plainReply(script, { ...reply, choices: [{ index: 0, message, finish_reason: finishReason }] }, usage, outgoing);
}

function plainReply(script: Script, reply: object, usage: object, outgoing: ServerResponse): void {
  const text = JSON.stringify({ ...reply, ...shownUsage(script, usage) });
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(script.kind === 'cut' ? text.slice(0, text.length / 2) : text);
}

async function streamReply(
  script: Script,
  reply: object,
  message: Record<string, unknown>,
  finishReason: string,
  usage: object,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const gapMs = script.kind === 'slow-stream' ? script.gapMs : 0;
  const shown = shownUsage(script, usage);
  const events = [
    ...deltasOf(message).map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finishReason }] },
    ...(Object.keys(shown).length > 0 ? [{ choices: [], ...shown }] : []),
  ];
  for (const [position, event] of events.entries()) {
    if (gapMs > 0) await pause(gapMs);
    outgoing.write(`data: ${JSON.stringify({ ...reply, object: 'chat.completion.chunk', ...event })}\n\n`);
    if (script.kind === 'error-stream') {
      outgoing.end(`data: ${JSON.stringify({ error: { message: 'overloaded', type: 'server_error' } })}\n\n`);
      return;
    }
    if (script.kind !== 'cut' || position > 0) continue;
    await pause(20);
    outgoing.destroy();
    return;
  }
  outgoing.end('data: [DONE]\n\n');
}

/** A message in pieces: its text in two, each tool call with its arguments in two. */
function deltasOf(message: Record<string, unknown>): object[] {
  const text = typeof message['content'] === 'string' ? message['content'] : '';
  const calls = (message['tool_calls'] ?? []) as { id: string; function: { name: string; arguments: string } }[];
  return [
    { role: 'assistant', content: text.slice(0, 3) },
    ...(text.length > 3 ? [{ content: text.slice(3) }] : []),
    ...calls.flatMap(({ id, function: { name, arguments: written } }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      { tool_calls: [{ index, function: { arguments: written.slice(0, written.length / 2) } }] },
      { tool_calls: [{ index, function: { arguments: written.slice(written.length / 2) } }] },
    ]),
    ...(typeof message['refusal'] === 'string' ? [{ refusal: message['refusal'] }] : []),
  ];
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function messageOf(script: Script): Record<string, unknown> {
  if (script.kind === 'message') return { role: 'assistant', ...script.message };
  const text = script.kind === 'answer' && script.text !== undefined ? script.text : 'All sheets are in order.';
  const calls = script.kind === 'answer' && script.toolCalls !== undefined ? { tool_calls: script.toolCalls } : {};
  return { role: 'assistant', content: text, ...calls };
}

/** A tokenizer of its own: five bytes of JSON are a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 5);
}

function usageOf(body: Record<string, unknown>, message: Record<string, unknown>) {
  const prompt = 7 + tokensOf([body['messages'], body['tools'] ?? []]);
  const completion = 1 + tokensOf([message['content'] ?? '', message['tool_calls'] ?? '']);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function shownUsage(script: Script, usage: object): object {
  if (script.kind !== 'no-usage') return { usage };
  if (script.how === 'missing') return {};
  return { usage: script.how === 'null' ? null : { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
}
