import type { ServerResponse } from 'node:http';
import type { Usage } from '../../../src/schema/model-call.ts';
import type { ServedReply } from '../provider-server.ts';
import type { Script } from './faults.ts';
import type { ServerAnswer, ServerWire } from './server-wire.ts';

export interface ServedRequest {
  readonly wire: ServerWire;
  readonly outgoing: ServerResponse;
  readonly streamed: boolean;
  readonly delayMs: number;
  readonly reply: ServedReply;
  readonly model: string;
  readonly split: (inputTokens: number) => Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;
  readonly charge: (usage: Usage) => void;
}

/** Treats one request as scripted; bills what is billed before it says anything. */
export async function serveScript(script: Script, request: ServedRequest): Promise<void> {
  const { wire, outgoing, streamed, charge } = request;
  const answer = (): ServerAnswer => {
    const answered = answerOf(script, request);
    charge(answered.usage);
    return answered;
  };
  switch (script.kind) {
    case 'status': {
      if (script.billed === true) answer();
      outgoing.writeHead(script.status, { 'content-type': 'application/json', ...script.headers });
      outgoing.end(JSON.stringify(script.body ?? wire.error(script.status, errorType(script.status), 'scripted')));
      return;
    }
    case 'reset':
      outgoing.destroy();
      return;
    case 'lost-reply':
      answer();
      outgoing.destroy();
      return;
    case 'stall':
      if (script.billed === true) answer();
      return;
    case 'html':
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
      return;
    case 'error-object': {
      const failure = { ...wire.error(502, 'api_error', 'upstream failed') };
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(failure));
      return;
    }
    case 'answer':
    case 'cut':
    case 'no-usage':
    case 'slow-stream':
    case 'error-stream':
    case 'shape':
    case 'unknown-tool':
    case 'refusal':
    case 'message':
    case 'served':
      break;
  }
  if (script.kind === 'answer') await pause(script.delayMs ?? 0);
  const answered = answer();
  await pause(request.delayMs);
  if (streamed) await streamReply(script, request, answered);
  else plainReply(script, request, answered);
}

function plainReply(script: Script, { wire, outgoing }: ServedRequest, answer: ServerAnswer): void {
  const text = JSON.stringify(wire.reply(answer));
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(script.kind === 'cut' ? text.slice(0, text.length / 2) : text);
}

async function streamReply(script: Script, { wire, outgoing }: ServedRequest, answer: ServerAnswer): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { text, piece } of wire.events(answer)) {
    if (script.kind === 'slow-stream') await pause(script.gapMs);
    outgoing.write(text);
    if (!piece) continue;
    if (script.kind === 'error-stream') {
      outgoing.end(wire.errorEvent('overloaded'));
      return;
    }
    if (script.kind !== 'cut') continue;
    await pause(20);
    outgoing.destroy();
    return;
  }
  outgoing.end();
}

function answerOf(script: Script, { reply, model, split }: ServedRequest): ServerAnswer {
  const answer: ServerAnswer = {
    ...reply,
    model: script.kind === 'served' ? script.model : model,
    message: script.kind === 'message' ? script.message : null,
    shape: script.kind === 'shape' ? script.shape : 'plain',
    usage: { ...reply.usage, ...split(reply.usage.inputTokens) },
    shownUsage: script.kind === 'no-usage' ? script.how : 'whole',
  };
  if (script.kind === 'refusal')
    return { ...answer, text: 'I will not.', thought: null, toolCalls: [], finishReason: 'refusal' };
  if (script.kind === 'unknown-tool') {
    const call = { id: `c_${reply.id}`, name: 'python', arguments: '{"code":"1 + 1"}' };
    return { ...answer, toolCalls: [call], finishReason: 'tool_calls' };
  }
  const called =
    (script.kind === 'shape' && script.shape === 'malformed-call') ||
    (script.kind === 'message' && 'tool_calls' in script.message);
  return called ? { ...answer, finishReason: 'tool_calls' } : answer;
}

function errorType(status: number): string {
  const types = { 401: 'authentication_error', 429: 'rate_limit_error', 529: 'overloaded_error' } as const;
  return types[status as keyof typeof types] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

function pause(milliseconds: number): Promise<void> {
  return milliseconds === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds));
}
