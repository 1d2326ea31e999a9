import { lessonsIn } from './lessons.ts';
import { playbookBullets } from './playbook-bullets.ts';

/**
 * A curation, as JSON, of the blocks `reflection` and `playbook` of a prompt: adds each lesson of the phrase book that
 * the reflection names and no rule of the playbook states already.
 */
export function curate(blocks: Readonly<Record<string, string>>): string {
  const held = playbookBullets(blocks['playbook'] ?? '').flatMap((bullet) => lessonsIn(bullet.content));
  const fresh = lessonsIn(blocks['reflection'] ?? '').filter((lesson) => !held.includes(lesson));
  return JSON.stringify({
    reasoning: fresh.length === 0 ? 'The playbook says all of this already.' : 'The reflection names what is missing.',
    operations: fresh.map(({ section, rule }) => ({ type: 'ADD', section, content: rule })),
  });
}
