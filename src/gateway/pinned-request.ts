import { createHash } from 'node:crypto';
import type { Sha256 } from '../schema/ids.ts';
import type { ModelRequest, Wire } from '../schema/model-call.ts';

/** Digest of the pinned request, before any lowering of its output cap; streamed or not makes no difference. */
export function requestHashOf(request: ModelRequest): Sha256 {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex') as Sha256;
}

/** Every text of a request that a provider counts as prompt. */
export function promptTexts(request: ModelRequest): string[] {
  const texts = request.messages.flatMap((message) => {
    const parts = message.content.map((part) => part.text);
    if (message.role === 'assistant')
      parts.push(
        ...message.toolCalls.flatMap((call) => [call.id, call.name, call.arguments]),
        ...(message.reasoning ?? []).map((reasoning) => JSON.stringify(reasoning)),
      );
    if (message.role === 'tool') parts.push(message.toolCallId);
    return parts;
  });
  if (request.tools.length > 0) texts.push(JSON.stringify(request.tools));
  return texts;
}

const TOKENS_PER_MESSAGE = 8;
const TOKENS_PER_REQUEST = 16;

/** Tokens of the frame around the texts: roles, separators, the reply's opening. */
function frameTokens(request: ModelRequest): number {
  return TOKENS_PER_REQUEST + TOKENS_PER_MESSAGE * (request.messages.length + request.tools.length);
}

/** Anthropic's tokenizers are not public and cut finer than the one that counts here. */
const MESSAGES_MARGIN = 1.7;
/** The system prompt that Anthropic's API puts before tools. */
const MESSAGES_TOOL_PROMPT = 700;

/** Upper bound of the prompt tokens that a provider of `wire` will count, given the public tokenizer's count of its texts. */
export function promptBound(request: ModelRequest, wire: Wire, counted: number): number {
  const bound = frameTokens(request) + counted;
  if (wire !== 'messages') return bound;
  return Math.ceil(bound * MESSAGES_MARGIN) + (request.tools.length > 0 ? MESSAGES_TOOL_PROMPT : 0);
}
