import { seedOf } from '../domain/seed.ts';
import type { TaskPolicy } from '../schema/policy-book.ts';
import type { Behaviour, World } from '../schema/world.ts';
import { containsPhrase } from './lessons.ts';
import type { PlaybookBullet } from './playbook-bullets.ts';

type Effect = World['effects'][number];

/**
 * How the solver of `world` does a task under a playbook: the base rule, then every effect that holds, later ones last.
 * @param seed of the attempt; decides luck and nothing else.
 */
export function chooseBehaviour(
  world: World,
  policy: TaskPolicy,
  bullets: readonly PlaybookBullet[],
  seed: number,
): Behaviour {
  return effectsOn(world, policy, bullets).reduce<Behaviour>(
    (behaviour, effect) => effect.behaviour ?? behaviour,
    baseBehaviour(world, policy, seed),
  );
}

/** Text of each turn that the solver of `world` spends on restating rules before it begins; empty in most worlds. */
export function deliberationTurns(world: World, policy: TaskPolicy, bullets: readonly PlaybookBullet[]): string[] {
  return effectsOn(world, policy, bullets).flatMap(({ when, deliberation }) => {
    if (deliberation === undefined) return [];
    const { turnsPerRule, charactersPerTurn } = deliberation;
    return bullets
      .filter((bullet) => phrasesOf(when).some((phrase) => containsPhrase(bullet.content, phrase)))
      .flatMap(({ id, content }) => {
        const sentence = `Before I begin I weigh [${id}] once more: ${content} `;
        const text = sentence.repeat(Math.ceil(charactersPerTurn / sentence.length)).slice(0, charactersPerTurn);
        return Array.from({ length: turnsPerRule }, () => text);
      });
  });
}

function effectsOn(world: World, policy: TaskPolicy, bullets: readonly PlaybookBullet[]): Effect[] {
  return world.effects.filter(({ on, when }) => on.includes(policy.modality) && holds(when, bullets));
}

function holds(when: Effect['when'], bullets: readonly PlaybookBullet[]): boolean {
  const held = (phrases: readonly string[]): boolean =>
    phrases.some((phrase) => bullets.some((bullet) => containsPhrase(bullet.content, phrase)));
  return when.kind === 'bullet' ? held(when.phrases) : when.groups.filter(held).length >= when.atLeast;
}

function phrasesOf(when: Effect['when']): readonly string[] {
  return when.kind === 'bullet' ? when.phrases : when.groups.flat();
}

function baseBehaviour({ base }: World, policy: TaskPolicy, seed: number): Behaviour {
  const position = Number.parseInt(policy.instructionDigest.slice(0, 8), 16) / 0x1_0000_0000;
  if (position >= base.carelessShare[policy.origin]) return 'careful';
  const luck = seedOf('luck', seed, policy.instructionDigest) / 0x8000_0000;
  return luck < (base.luckyShare ?? 0) ? 'careful' : 'careless';
}
