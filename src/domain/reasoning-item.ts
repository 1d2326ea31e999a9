import type { Reasoning } from '../schema/model-call.ts';

/** A thought as an item of the Responses wire, sent and received alike; thoughts of another wire have no form on it. */
export function reasoningItem(reasoning: Reasoning): Record<string, unknown>[] {
  switch (reasoning.kind) {
    case 'item': {
      const summary = reasoning.summary.map((text) => ({ type: 'summary_text', text }));
      return [{ type: 'reasoning', id: reasoning.id, summary, encrypted_content: reasoning.encrypted }];
    }
    case 'thinking':
    case 'redacted-thinking':
      return [];
  }
}
