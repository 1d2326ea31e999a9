import type { TaskPolicy } from '../schema/policy-book.ts';
import type { Behaviour, World } from '../schema/world.ts';
import { containsPhrase } from './lessons.ts';
import type { PlaybookBullet } from './playbook-bullets.ts';

/** How the solver of `world` does a task under a playbook: the base rule, then every effect that holds, later ones last. */
export function chooseBehaviour(world: World, policy: TaskPolicy, bullets: readonly PlaybookBullet[]): Behaviour {
  return world.effects
    .filter((effect) => effect.on.includes(policy.modality))
    .filter((effect) =>
      effect.when.phrases.some((phrase) => bullets.some((bullet) => containsPhrase(bullet.content, phrase))),
    )
    .reduce<Behaviour>((_, effect) => effect.behaviour, baseBehaviour(world, policy));
}

function baseBehaviour(world: World, policy: TaskPolicy): Behaviour {
  const position = Number.parseInt(policy.instructionDigest.slice(0, 8), 16) / 0x1_0000_0000;
  return position < world.base.carelessShare[policy.origin] ? 'careless' : 'careful';
}
