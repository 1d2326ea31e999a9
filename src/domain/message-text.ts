/**
 * The text of one stored message, total over every shape that solvers leave behind: string, null, block lists,
 * Responses objects with `output`, `function_call_output`, anything else reads as ''. Tool calls are shown as their
 * arguments.
 */
export function messageText(message: unknown): string {
  if (!isRecord(message)) return '';
  if (message['type'] === 'function_call_output') return contentText(message['output']);
  if (Array.isArray(message['output'])) return joinTexts(message['output'].map(outputItemText));
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].map(toolCallText) : [];
  return joinTexts([contentText(message['content']), ...calls]);
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return joinTexts(
    content.map((block) => {
      if (typeof block === 'string') return block;
      return isRecord(block) && typeof block['text'] === 'string' ? block['text'] : '';
    }),
  );
}

function outputItemText(item: unknown): string {
  if (!isRecord(item)) return '';
  if (item['type'] === 'function_call') return argumentsText(item['arguments']);
  return contentText(item['content']);
}

function toolCallText(call: unknown): string {
  if (!isRecord(call)) return '';
  const called = call['function'];
  return argumentsText(isRecord(called) ? called['arguments'] : call['arguments']);
}

/** The command of a shell call, else the arguments as written. */
function argumentsText(text: unknown): string {
  if (typeof text !== 'string') return '';
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) && typeof parsed['command'] === 'string' ? parsed['command'] : text;
  } catch {
    return text;
  }
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
