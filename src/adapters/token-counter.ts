import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenCounter } from '../contract/provider-port.ts';

/** Slices are cut at a blank where there is one in their second half. The tokenizer's time grows with the square of a run without blanks. */
const SLICE = 256;
const CACHED_CHARACTERS = 32_000_000;
/** Longest time, in ms, that counting holds up everything else. */
const TURN_MS = 2;
const PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * Counts by o200k_base, in slices: never less than the whole text would give but for merges across cuts, so an upper
 * bound within some percent. Texts seen lately are remembered, since prompts repeat their prefix.
 */
export function createTokenCounter(): TokenCounter {
  const remembered = new Map<string, number>();
  let characters = 0;

  const remember = (text: string, count: number): void => {
    remembered.set(text, count);
    characters += text.length;
    for (const oldest of remembered.keys()) {
      if (characters <= CACHED_CHARACTERS) break;
      remembered.delete(oldest);
      characters -= oldest.length;
    }
  };

  return {
    count: async (texts) => {
      let total = 0;
      for (const text of texts) {
        const known = remembered.get(text);
        if (known === undefined) {
          const count = await countSlices(text);
          if (!remembered.has(text)) remember(text, count);
          total += count;
        } else {
          total += known;
        }
      }
      return total;
    },
  };
}

async function countSlices(text: string): Promise<number> {
  let total = 0;
  let start = 0;
  let turn = performance.now();
  while (start < text.length) {
    const end = endOfSlice(text, start);
    total += countTokens(text.slice(start, end), PLAIN);
    start = end;
    if (performance.now() - turn > TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      turn = performance.now();
    }
  }
  return total;
}

function endOfSlice(text: string, start: number): number {
  const end = start + SLICE;
  if (end >= text.length) return text.length;
  for (let at = end; at > start + SLICE / 2; at -= 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code === 32 || code === 10) return at;
  }
  const last = text.charCodeAt(start + SLICE / 2 - 1);
  return start + SLICE / 2 + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
}
