import type { Message, ModelRequest, ModelResponse, ToolDefinition } from '../../src/schema/model-call.ts';

const bash: ToolDefinition = { name: 'bash', description: 'Run a command', parameters: { type: 'object' } };

function systemMessage(text: string): Message {
  return { role: 'system', content: [{ type: 'text', text }] };
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function requestOf(messages: Message[], changes: Partial<ModelRequest> = {}): ModelRequest {
  const sampling = { maxOutputTokens: 4096 };
  return { model: 'm', messages, tools: [], sampling, seed: 7, responseFormat: 'text', ...changes };
}

/** The request that opens an attempt under a playbook, as the runner words it. */
export function openingRequest(
  instruction: string,
  playbook: string,
  changes: Partial<ModelRequest> = {},
): ModelRequest {
  const rules = playbook === '' ? '' : `\n<playbook>\n${playbook}\n</playbook>\n`;
  const system = systemMessage(`You are an office worker's assistant.${rules}`);
  const user = userMessage(`Please do this office task in /app:\n\n<task>\n${instruction}\n</task>`);
  return requestOf([system, user], { tools: [bash], ...changes });
}

/** The request that follows a reply: the reply itself and what its command printed. */
export function nextRequest(request: ModelRequest, response: ModelResponse, observation = 'ok'): ModelRequest {
  const { content, toolCalls } = response;
  const observations = toolCalls.map((call): Message => ({
    role: 'tool',
    toolCallId: call.id,
    content: [{ type: 'text', text: observation }],
  }));
  return { ...request, messages: [...request.messages, { role: 'assistant', content, toolCalls }, ...observations] };
}

export function textOf(response: ModelResponse): string {
  return response.content.map((part) => part.text).join('\n');
}

/** The command of the reply's only tool call. */
export function commandOf(response: ModelResponse): string {
  return (JSON.parse(response.toolCalls[0]?.arguments ?? '{}') as { command?: string }).command ?? '';
}
