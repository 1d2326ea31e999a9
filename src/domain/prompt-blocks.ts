import { canonicalJson } from './canonical-json.ts';
import { sha256Of } from './sha256.ts';

/** A named part of a prompt whose text is data, not instruction. Names are lower-case words joined by hyphens. */
export interface PromptBlock {
  readonly name: string;
  readonly text: string;
}

/**
 * Renders each block between two marker lines that carry a nonce over all blocks:
 *
 *     <<<playbook 1f0c66a2b9d3
 *     …
 *     playbook 1f0c66a2b9d3>>>
 *
 * The nonce depends on the contents, so that no text can hold the marker that would end it, and equal contents give
 * equal prompts.
 */
export function renderPromptBlocks(blocks: readonly PromptBlock[]): readonly string[] {
  const nonce = sha256Of(canonicalJson(blocks)).slice(0, 12);
  return blocks.map(({ name, text }) => `<<<${name} ${nonce}\n${text}\n${name} ${nonce}>>>`);
}

/** The blocks of a rendered prompt by name, in order; of two with one name the first counts. */
export function readPromptBlocks(prompt: string): Record<string, string> {
  const blocks: Record<string, string> = {};
  const pattern = /^<<<([a-z]+(?:-[a-z]+)*) ([0-9a-f]{12})\n([\s\S]*?)\n\1 \2>>>$/gm;
  for (const [, name = '', , text = ''] of prompt.matchAll(pattern)) blocks[name] ??= text;
  return blocks;
}
