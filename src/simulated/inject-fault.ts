import type { SimulatedTurn } from '../contract/provider-port.ts';
import { assertNever } from '../domain/assert-never.ts';
import { readPromptBlocks } from '../domain/prompt-blocks.ts';
import { seedOf } from '../domain/seed.ts';
import type { Fault, FaultProfile } from '../schema/fault-profile.ts';
import type { Role } from '../schema/lease.ts';
import type { ModelRequest, ModelResponse } from '../schema/model-call.ts';
import { messageText } from './request-text.ts';

/**
 * The fault that befalls a request attempt, null for most. Decided by seed, role, turn, retry and what was asked; digits
 * and the transcript in a prompt do not count, for they hold times of day.
 * @param attempt 0-based retry index of the call.
 */
export function faultOf(profile: FaultProfile, request: ModelRequest, role: Role, attempt: number): Fault | null {
  const asked = stableText(request.messages.find((message) => message.role === 'user'));
  const draw = seedOf('fault', profile.name, request.seed, role, request.messages.length, attempt, asked) / 0x8000_0000;
  let below = 0;
  for (const { fault, share } of profile.faults) {
    below += share;
    if (draw < below) return fault;
  }
  return null;
}

function stableText(message: ModelRequest['messages'][number] | undefined): string {
  const text = message === undefined ? '' : messageText(message);
  const { transcript: _, ...blocks } = readPromptBlocks(text);
  const [instructions = ''] = text.split(/^<<</m, 1);
  return JSON.stringify([instructions, blocks]).replaceAll(/\d+/g, '0');
}

/** The response with the fault in it, or what comes instead of a response. */
export function injectFault(response: ModelResponse, fault: Fault | null, profile: FaultProfile): SimulatedTurn {
  switch (fault) {
    case null:
      return { kind: 'answered', response };
    case 'rate-limit':
      return { kind: 'rate-limited', retryAfterMs: profile.retryAfterMs };
    case 'stall':
      return { kind: 'stalled', stallMs: profile.stallMs };
    case 'missing-usage':
      return { kind: 'answered', response: { ...response, usage: null } };
    case 'truncated':
      return { kind: 'answered', response: truncated(response) };
    case 'malformed-call':
      return { kind: 'answered', response: malformed(response) };
    case 'list-content':
      return { kind: 'answered', response: inParts(response) };
    case 'refusal': {
      const content = [{ type: 'text' as const, text: 'I cannot help with this request.' }];
      return { kind: 'answered', response: { ...response, content, toolCalls: [], finishReason: 'refusal' } };
    }
    default:
      return assertNever(fault);
  }
}

function truncated(response: ModelResponse): ModelResponse {
  const content = response.content.map((part) => ({ ...part, text: part.text.slice(0, part.text.length / 2) }));
  return { ...response, content: content.filter(({ text }) => text !== ''), toolCalls: [], finishReason: 'length' };
}

function malformed(response: ModelResponse): ModelResponse {
  return {
    ...response,
    toolCalls: response.toolCalls.map((call) => ({ ...call, arguments: call.arguments.slice(0, -2) })),
  };
}

/** Parts that together are the same text. */
function inParts(response: ModelResponse): ModelResponse {
  const content = response.content.flatMap((part) => {
    const middle = Math.ceil(part.text.length / 2);
    const halves = [part.text.slice(0, middle), part.text.slice(middle)];
    return halves.filter((text) => text !== '').map((text) => ({ ...part, text }));
  });
  return { ...response, content };
}
