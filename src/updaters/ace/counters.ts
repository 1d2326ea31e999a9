import type { Finding } from '../step-machine.ts';
import { idOf } from './operation.ts';
import { bulletsOf, mapBullets, type Playbook } from './playbook.ts';

type Tag = 'helpful' | 'harmful' | 'neutral';

/** A reflector's word on one bullet that an attempt had before it. */
export interface BulletTag {
  readonly id: string;
  readonly tag: Tag;
}

/**
 * A reflector's tags: a list of objects with the id under `id`, `bullet_id` or `bullet` and the tag in any case, or an
 * object of id → tag. Each misshapen one is a finding; of several tags for one bullet the first counts. Never throws.
 */
export function readTags(raw: unknown): { readonly tags: readonly BulletTag[]; readonly findings: readonly Finding[] } {
  if (raw === undefined || raw === null) return { tags: [], findings: [] };
  const findings: Finding[] = [];
  if (typeof raw !== 'object') return { tags: [], findings: [tagFinding('bullet_tags is no list')] };
  const entries: unknown[] = Array.isArray(raw)
    ? raw
    : Object.entries(raw).map(([id, tag]) => ({ id, tag: tag as unknown }));
  const tags: BulletTag[] = [];
  entries.forEach((entry, index) => {
    const tag = readTag(entry);
    if (tag === null) findings.push(tagFinding(`tag ${index + 1} names no bullet or no known tag`));
    else if (!tags.some(({ id }) => id === tag.id)) tags.push(tag);
  });
  return { tags, findings };
}

function readTag(entry: unknown): BulletTag | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const fields: Record<string, unknown> = { ...entry };
  const id = idOf(fields);
  const tag = typeof fields['tag'] === 'string' ? fields['tag'].trim().toLowerCase() : '';
  return id !== null && isTag(tag) ? { id, tag } : null;
}

function isTag(text: string): text is Tag {
  return text === 'helpful' || text === 'harmful' || text === 'neutral';
}

/** Adds one to the counter that each tag names. Ids that the playbook does not have are passed over and not counted. */
export function countTags(
  playbook: Playbook,
  tags: readonly BulletTag[],
): { readonly playbook: Playbook; readonly counted: number; readonly unknown: number } {
  const known = new Set(bulletsOf(playbook).map(({ id }) => id));
  const counting = tags.filter(({ id }) => known.has(id));
  const changed = mapBullets(playbook, (bullet) => {
    const own = counting.filter(({ id }) => id === bullet.id);
    return {
      ...bullet,
      helpful: bullet.helpful + own.filter(({ tag }) => tag === 'helpful').length,
      harmful: bullet.harmful + own.filter(({ tag }) => tag === 'harmful').length,
    };
  });
  return { playbook: changed, counted: counting.length, unknown: tags.length - counting.length };
}

function tagFinding(text: string): Finding {
  return { code: 'tag-refused', text };
}
