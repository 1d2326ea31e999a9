import { bulletsOf, lastId, mapBullets, nextIdOf, type Playbook } from './playbook.ts';

/** Gives every repeat of an id a new number above all others, so that counters and citations name one rule each. */
export function withUniqueIds(playbook: Playbook): Playbook {
  const ids = bulletsOf(playbook).map(({ id }) => id);
  if (new Set(ids).size === ids.length) return playbook;
  const seen = new Set<string>();
  let next = nextIdOf(playbook);
  return mapBullets(playbook, (bullet) => {
    if (!seen.has(bullet.id) || next > lastId) {
      seen.add(bullet.id);
      return bullet;
    }
    const slug = bullet.id.slice(0, Math.max(0, bullet.id.lastIndexOf('-'))) || 'misc';
    const id = `${slug}-${String(next).padStart(5, '0')}`;
    next += 1;
    return { ...bullet, id };
  });
}
