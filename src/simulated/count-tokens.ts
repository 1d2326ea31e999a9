import type { ModelRequest, ToolCall } from '../schema/model-call.ts';
import { messageText } from './request-text.ts';

/** Characters counted as one token: more than in usual text, so that usage stays below any upper bound counted before a call. */
export const CHARACTERS_PER_TOKEN = 5;

/** Input tokens of a request: all text, tool calls and tool definitions that it carries, a playbook included. */
export function countInputTokens(request: ModelRequest): number {
  const texts = request.messages.map(
    (message) => messageText(message).length + (message.role === 'assistant' ? callsLength(message.toolCalls) : 0),
  );
  const tools = request.tools.length === 0 ? 0 : JSON.stringify(request.tools).length;
  return tokensOf(texts.reduce((sum, length) => sum + length, tools));
}

/** Output tokens of a reply: its text and tool calls. */
export function countOutputTokens(text: string, toolCalls: readonly ToolCall[]): number {
  return tokensOf(text.length + callsLength(toolCalls));
}

function callsLength(toolCalls: readonly ToolCall[]): number {
  return toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
