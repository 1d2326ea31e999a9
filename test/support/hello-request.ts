import type { ModelRequest } from '../../src/schema/model-call.ts';

/** A request of one short user message, without tools. */
export const helloRequest: ModelRequest = {
  model: 'office-1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [],
  sampling: { maxOutputTokens: 50 },
  seed: 3,
  responseFormat: 'text',
};
