import type { ModelRequest } from '../schema/model-call.ts';
import { curate } from './curator.ts';
import { textOfRole } from './message-text.ts';
import { reflect } from './reflector.ts';

/**
 * The simulated model as an updater. It works from the text of the request alone: no world, no policies. Its part is
 * known by the JSON fields that the request demands; a request that demands others gets a plain answer.
 */
export function update(request: ModelRequest): string {
  const text = `${textOfRole(request, 'system')}\n${textOfRole(request, 'user')}`;
  if (demands(text, ['key_insight', 'bullet_tags'])) return reflect(text);
  if (demands(text, ['operations', 'section'])) return curate(text);
  const answer = 'I have nothing to add to this.';
  return request.responseFormat === 'json' ? JSON.stringify({ answer }) : answer;
}

function demands(text: string, fields: readonly string[]): boolean {
  return fields.every((field) => text.includes(`"${field}"`) || text.includes(`\`${field}\``));
}
