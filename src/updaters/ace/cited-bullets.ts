import { type Bullet, bulletsOf, type Playbook } from './playbook.ts';

/** The bullets whose id stands in `text`; all of them if none does, since a solver that cites nothing may still have used any. */
export function citedBullets(playbook: Playbook, text: string): Bullet[] {
  const bullets = bulletsOf(playbook);
  const mentioned = new Set(text.toLowerCase().match(/\b[a-z]{2,}-\d{5}\b/g) ?? []);
  const cited = bullets.filter(({ id }) => mentioned.has(id));
  return cited.length > 0 ? cited : bullets;
}
