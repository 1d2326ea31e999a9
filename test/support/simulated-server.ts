import { readWorld } from '../../src/adapters/world-file.ts';
import { parseChatRequest } from '../../src/gateway/chat-completions/parse-chat-request.ts';
import { parseMessagesRequest } from '../../src/gateway/messages/parse-messages-request.ts';
import { parseResponsesRequest } from '../../src/gateway/responses/parse-responses-request.ts';
import { ModelRequest } from '../../src/schema/model-call.ts';
import type { PolicyBook } from '../../src/schema/policy-book.ts';
import type { WorldName } from '../../src/schema/world.ts';
import { worldsDirectory } from '../../src/services/freeze/world-document.ts';
import { simulate } from '../../src/simulated/simulate.ts';
import { type ProviderServer, type Script, type ServedReply, startProviderServer } from './provider-server.ts';

/** The simulated model behind a provider's three wires on a port of its own, for models `solver` and `updater`. */
export interface SimulatedServer extends ProviderServer {
  /** The solver's policies, once the tasks are known. */
  readonly use: (policies: PolicyBook) => void;
}

const PARSERS = {
  '/v1/chat/completions': parseChatRequest,
  '/v1/responses': parseResponsesRequest,
  '/v1/messages': parseMessagesRequest,
};

/**
 * Start it; requests need `key` and are answered `delayMs` after they were billed. Where a request asks for an effort
 * of reasoning, a thought comes before the answer.
 */
export async function startSimulatedServer(
  worldName: WorldName,
  key: string,
  { delayMs = 0, profile }: { readonly delayMs?: number; readonly profile?: (count: number) => Script } = {},
): Promise<SimulatedServer> {
  const world = readWorld(worldsDirectory, worldName);
  let policies: PolicyBook = { version: 1, policies: [] };
  const answer = (path: string, body: Record<string, unknown>): ServedReply => {
    const parsed = PARSERS[path as keyof typeof PARSERS](body);
    if (parsed.kind === 'invalid') throw new Error(parsed.message);
    const role = body['model'] === 'solver' ? 'solver' : 'updater';
    const cap = Number(body['max_tokens'] ?? body['max_output_tokens']);
    // Not every wire can carry a seed: none of them is given one.
    const pinned = { model: body['model'], sampling: { maxOutputTokens: cap }, seed: 0 };
    const request = ModelRequest.parse({ ...parsed.draft, ...pinned });
    const response = simulate(request, { role, world, policies: role === 'solver' ? policies : null });
    const thinks = body['reasoning_effort'] ?? body['reasoning'] ?? body['thinking'];
    const { inputTokens = 0, outputTokens = 0 } = response.usage ?? {};
    const reasoningTokens = thinks === undefined ? 0 : 7;
    return {
      id: response.id,
      text: response.content.map((part) => part.text).join(''),
      thought: thinks === undefined ? null : `I think about ${response.id}.`,
      toolCalls: response.toolCalls,
      finishReason: response.finishReason,
      usage: { inputTokens, outputTokens: outputTokens + reasoningTokens, reasoningTokens },
    };
  };
  const server = await startProviderServer({
    ...{ answer, key, strict: true, servedSuffix: '-2026-01-01', delayMs },
    ...(profile === undefined ? {} : { profile }),
  });
  return {
    ...server,
    use: (book) => {
      policies = book;
    },
  };
}
