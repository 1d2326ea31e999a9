import { createHash } from 'node:crypto';
import type { Usage } from '../../../src/schema/model-call.ts';

/** A provider's cache of prompts, by what they begin with. */
export interface PromptCache {
  /**
   * How an input of `inputTokens` falls into parts read and written, by the share of `characters` that `points` reach;
   * remembers the points.
   */
  readonly split: (
    points: readonly string[],
    characters: number,
    inputTokens: number,
  ) => Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;
}

export function createPromptCache(): PromptCache {
  const known = new Set<string>();
  const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
  return {
    split: (points, characters, inputTokens) => {
      const read = points.findLast((point) => known.has(digest(point)))?.length ?? 0;
      const reach = points.at(-1)?.length ?? 0;
      for (const point of points) known.add(digest(point));
      const tokens = (length: number): number => Math.floor((inputTokens * Math.min(length, characters)) / characters);
      return { inputTokens, cacheReadTokens: tokens(read), cacheWriteTokens: tokens(reach) - tokens(read) };
    },
  };
}
