import { describe, expect, it } from 'vitest';
import type { Modality } from '../../src/schema/splits.ts';
import { World, WorldName } from '../../src/schema/world.ts';
import { chooseBehaviour, deliberationTurns } from '../../src/simulated/choose-behaviour.ts';
import { lessons } from '../../src/simulated/lessons.ts';
import { policyOf } from './policy-fixture.ts';
import { publishedWorlds, worldNamed, worldsDirectory } from './published-worlds.ts';
import { readWorld } from '../../src/adapters/world-file.ts';

describe('published worlds', () => {
  it('are all that have a name', () => {
    expect(publishedWorlds.map(({ name }) => name)).toEqual(WorldName.options.toSorted());
  });

  it.each(publishedWorlds)('$name says what its numbers are worth', ({ label }) => {
    expect(label).toBe('tests the engine, says nothing about any method');
  });

  it.each(publishedWorlds)('$name names no phrase that no lesson holds', ({ effects }) => {
    const declared = effects.flatMap(phrasesOf);
    const taught = lessons.map(({ phrase }) => phrase);
    expect(taught).toEqual(expect.arrayContaining(declared));
  });

  it('no-transfer declares every lesson for its own modality and for no other', () => {
    const { effects } = worldNamed('no-transfer');
    const expected = ['presentation', 'document', 'spreadsheet'].map((modality) => ({
      on: [modality],
      phrases: lessons.filter((lesson) => lesson.modality === modality).map(({ phrase }) => phrase),
    }));
    expect(effects.map((effect) => ({ on: effect.on, phrases: phrasesOf(effect) }))).toEqual(expected);
  });

  it.each(publishedWorlds)('$name expects the signs that its effects produce', (world) => {
    const rules = lessons.map(({ rule }, index) => ({
      id: `sai-${String(index + 1).padStart(5, '0')}`,
      content: rule,
    }));
    const signOf = (modality: Parameters<typeof policyOf>[0]): string => {
      const before = worth(world, modality, []);
      const after = worth(world, modality, rules);
      return before === after ? '0' : after > before ? '+' : '-';
    };
    for (const modality of ['presentation', 'document', 'spreadsheet'] as const) {
      expect(signOf(modality)).toBe(world.expectedSigns.inDomain);
      expect(signOf(modality)).toBe(world.expectedSigns.selection);
    }
    expect(signOf('cross-office')).toBe(world.expectedSigns.crossOffice);
  });

  it('with agent errors name them where a behaviour or the limits of an attempt bring them about', () => {
    const rising = publishedWorlds.filter(({ expectedAgentErrors }) => expectedAgentErrors !== undefined);
    expect(rising.map(({ name }) => name)).toEqual(['budget-tax', 'crash']);
  });

  it('that do not exist are refused with those that do', () => {
    expect(() => readWorld(worldsDirectory, 'utopia')).toThrow(
      expect.objectContaining({ code: 'ANL-1003', why: expect.stringContaining('null, help, harm') }),
    );
  });

  it('have effects that do something', () => {
    const declared = worldNamed('no-transfer');
    const [effect] = declared.effects;
    const { behaviour: _, ...nothing } = effect ?? { behaviour: 'careful' };
    expect(World.safeParse({ ...declared, effects: [nothing] }).success).toBe(false);
  });
});

function phrasesOf({ when }: World['effects'][number]): string[] {
  return when.kind === 'bullet' ? when.phrases : when.groups.flat();
}

/** What a task is worth, in order alone: luck left aside, deliberation counted as a run that does not end. */
function worth(world: World, modality: Modality, rules: { id: string; content: string }[]): number {
  const still = { ...world, base: { ...world.base, luckyShare: 0 } };
  if (deliberationTurns(world, policyOf(modality), rules).length > 0) return 0;
  const behaviour = chooseBehaviour(still, policyOf(modality), rules, 7);
  return { careful: 2, careless: 1, idle: 0, 'breaks-off': 0 }[behaviour];
}
