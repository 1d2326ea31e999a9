import type { Delta } from '../contract/provider-port.ts';
import type { ModelResponse } from '../schema/model-call.ts';

/** A complete response as the pieces of a stream: each thought, each text part, each tool call. A refusal's text is no piece. */
export function responseDeltas(response: ModelResponse): Delta[] {
  const texts = response.finishReason === 'refusal' ? [] : response.content;
  return [
    ...(response.reasoning ?? []).map((reasoning): Delta => ({ kind: 'reasoning', reasoning })),
    ...texts.map((part): Delta => ({ kind: 'text', text: part.text })),
    ...response.toolCalls.map((call, index): Delta => ({ kind: 'tool-call', index, ...call })),
  ];
}
