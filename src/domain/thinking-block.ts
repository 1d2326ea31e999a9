import type { Reasoning } from '../schema/model-call.ts';

/** A thought as a block of the messages wire, sent and received alike; thoughts of another wire have no form on it. */
export function thinkingBlock(reasoning: Reasoning): Record<string, unknown>[] {
  switch (reasoning.kind) {
    case 'thinking':
      return [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature }];
    case 'redacted-thinking':
      return [{ type: 'redacted_thinking', data: reasoning.data }];
    case 'item':
      return [];
  }
}
