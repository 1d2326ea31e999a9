import type { SimulatedContext, SimulatedTurn } from '../contract/provider-port.ts';
import { assertNever } from '../domain/assert-never.ts';
import { sha256Of } from '../domain/sha256.ts';
import type { ModelRequest, ModelResponse, ToolCall } from '../schema/model-call.ts';
import { simulatedModelName } from '../schema/world.ts';
import { CHARACTERS_PER_TOKEN, countInputTokens, countOutputTokens } from './count-tokens.ts';
import { faultOf, injectFault } from './inject-fault.ts';
import { textReply } from './reply.ts';
import type { Reply } from './reply.ts';
import { solve } from './solver.ts';
import { update } from './updater.ts';

/** What the simulated model may know besides the request; `policies` is read for the solver alone, null elsewhere. */
export type AnswerContext = Pick<SimulatedContext, 'role' | 'world' | 'policies'> & Partial<SimulatedContext>;

/** One request attempt: the model's answer, or what its fault profile makes of it. */
export function simulateTurn(request: ModelRequest, context: SimulatedContext, attempt: number): SimulatedTurn {
  const response = simulate(request, context);
  const { faults } = context;
  if (faults === null) return { kind: 'answered', response };
  return injectFault(response, faultOf(faults, request, context.role, attempt), faults);
}

/**
 * The simulated model: a pure function of request and context, the same text for the same input in any process.
 * Only the solver's part is given world and policies. A reply longer than the output cap is cut, tool call and all,
 * with finish reason `length`. Usage counts five characters as one token.
 */
export function simulate(request: ModelRequest, context: AnswerContext): ModelResponse {
  const id = sha256Of(JSON.stringify([context.world.name, context.role, request])).slice(0, 16);
  const reply = replyOf(request, context);
  const toolCalls = reply.command === null ? [] : [bashCall(reply.command, id)];
  const cap = request.sampling.maxOutputTokens;
  const outputTokens = countOutputTokens(reply.text, toolCalls);
  const cut = outputTokens > cap;
  const text = cut ? reply.text.slice(0, cap * CHARACTERS_PER_TOKEN) : reply.text;
  return {
    id: `simulated-${id}`,
    servedModel: simulatedModelName(context.world.name, context.faults?.name),
    content: text === '' ? [] : [{ type: 'text', text }],
    toolCalls: cut ? [] : toolCalls,
    finishReason: cut ? 'length' : toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      inputTokens: countInputTokens(request),
      outputTokens: Math.min(outputTokens, cap),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    },
  };
}

function replyOf(request: ModelRequest, context: AnswerContext): Reply {
  switch (context.role) {
    case 'solver':
      return solve(request, context.world, context.policies ?? { version: 1, policies: [] });
    case 'updater':
      return textReply(update(request));
    case 'judge':
      return textReply('I cannot judge pictures; this model is simulated.');
    default:
      return assertNever(context.role);
  }
}

function bashCall(command: string, id: string): ToolCall {
  return { id: `call_${id}`, name: 'bash', arguments: JSON.stringify({ command }) };
}
