import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWorld } from '../../src/adapters/world-file.ts';
import { parseChatRequest } from '../../src/gateway/chat-completions/parse-chat-request.ts';
import { ModelRequest, type ModelResponse } from '../../src/schema/model-call.ts';
import type { PolicyBook } from '../../src/schema/policy-book.ts';
import type { WorldName } from '../../src/schema/world.ts';
import { worldsDirectory } from '../../src/services/world-document.ts';
import { simulate } from '../../src/simulated/simulate.ts';

/** What the server counted by itself, as a provider's bill would. */
export interface ServerBill {
  calls: number;
  tokens: number;
}

/** A simulated model behind the OpenAI chat completions wire on a port of its own, for models `solver` and `updater`. */
export interface SimulatedServer {
  /** `/v1` included. */
  readonly baseUrl: string;
  readonly bill: ServerBill;
  /** Bodies that arrived, as parsed. */
  readonly bodies: readonly Record<string, unknown>[];
  /** Requests without the key. */
  readonly refused: () => number;
  /** Requests that were billed and are not answered yet. */
  readonly inFlight: () => number;
  /** The solver's policies, once the tasks are known. */
  readonly use: (policies: PolicyBook) => void;
  readonly close: () => Promise<void>;
}

/** Start it; requests need `key` as their bearer token and are answered `delayMs` after they were billed. */
export async function startSimulatedServer(worldName: WorldName, key: string, delayMs = 0): Promise<SimulatedServer> {
  const world = readWorld(worldsDirectory, worldName);
  const bill: ServerBill = { calls: 0, tokens: 0 };
  const bodies: Record<string, unknown>[] = [];
  let policies: PolicyBook = { version: 1, policies: [] };
  let refused = 0;
  let inFlight = 0;
  const answer = (body: Record<string, unknown>): ModelResponse => {
    const parsed = parseChatRequest(body);
    if (parsed.kind === 'invalid') throw new Error(parsed.message);
    const role = body['model'] === 'solver' ? 'solver' : 'updater';
    const sampling = { maxOutputTokens: Number(body['max_tokens']) };
    const { model, seed } = body;
    const request = ModelRequest.parse({ ...parsed.draft, model, sampling, seed });
    return simulate(request, { role, world, policies: role === 'solver' ? policies : null });
  };
  const server: Server = createServer((incoming, outgoing) => {
    void readJson(incoming).then(async (body) => {
      if (incoming.headers.authorization !== `Bearer ${key}`) {
        refused += 1;
        return send(outgoing, 401, {
          error: { message: 'no key', type: 'invalid_request_error', code: 'invalid_api_key' },
        });
      }
      bodies.push(body);
      const response = answer(body);
      bill.calls += 1;
      bill.tokens += (response.usage?.inputTokens ?? 0) + (response.usage?.outputTokens ?? 0);
      inFlight += 1;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      inFlight -= 1;
      const reply = chatReply(response, String(body['model']));
      return body['stream'] === true ? sendStream(outgoing, reply) : send(outgoing, 200, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    bill,
    bodies,
    refused: () => refused,
    inFlight: () => inFlight,
    use: (book) => {
      policies = book;
    },
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

type ChatReply = ReturnType<typeof chatReply>;

/** The reply as server-sent events: text and arguments in halves, the finish, then the usage alone. */
function sendStream(outgoing: ServerResponse, { choices, usage, ...head }: ChatReply): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (fields: object): void => {
    outgoing.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`);
  };
  const piece = (delta: object, finish: string | null = null): void =>
    write({ choices: [{ index: 0, delta, finish_reason: finish }] });
  for (const { message, finish_reason: finish } of choices) {
    for (const content of halves(message.content)) piece({ role: 'assistant', content });
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      const [first = '', ...rest] = halves(call.function.arguments);
      piece({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: first } }] });
      for (const text of rest) piece({ tool_calls: [{ index, function: { arguments: text } }] });
    }
    piece({}, finish);
  }
  write({ choices: [], usage });
  outgoing.end('data: [DONE]\n\n');
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

function chatReply(response: ModelResponse, model: string) {
  const { inputTokens = 0, outputTokens = 0 } = response.usage ?? {};
  const toolCalls = response.toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
  const content = response.content.map(({ text }) => text).join('');
  return {
    id: response.id,
    object: 'chat.completion',
    created: 1,
    model: `${model}-2026-01-01`,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) },
        finish_reason: response.finishReason,
      },
    ],
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  };
}
