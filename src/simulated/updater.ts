import { readPromptBlocks } from '../domain/prompt-blocks.ts';
import type { ModelRequest } from '../schema/model-call.ts';
import { curate } from './curator.ts';
import { textOfRole } from './request-text.ts';
import { reflect } from './reflector.ts';

/**
 * The simulated model as an updater. It works from the text of the request alone: no world, no policies. Its part is
 * known by the JSON fields that the instructions before the data blocks demand; a request that demands others gets a
 * plain answer.
 */
export function update(request: ModelRequest): string {
  const prompt = textOfRole(request, 'user');
  const [instructions = ''] = prompt.split(/^<<</m, 1);
  if (demands(instructions, ['key_insight', 'bullet_tags'])) return reflect(readPromptBlocks(prompt));
  if (demands(instructions, ['operations', 'section'])) return curate(readPromptBlocks(prompt));
  const answer = 'I have nothing to add to this.';
  return request.responseFormat === 'json' ? JSON.stringify({ answer }) : answer;
}

function demands(instructions: string, fields: readonly string[]): boolean {
  return fields.every((field) => instructions.includes(`"${field}"`));
}
