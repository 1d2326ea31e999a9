import { describe, expect, it } from 'vitest';
import { World } from '../../src/schema/world.ts';
import { chooseBehaviour } from '../../src/simulated/choose-behaviour.ts';
import { lessons } from '../../src/simulated/lessons.ts';
import { policyOf } from './policy-fixture.ts';
import { publishedWorlds, worldNamed, worldsDirectory } from './published-worlds.ts';
import { readWorld } from '../../src/adapters/world-file.ts';

describe('published worlds', () => {
  it('are null and no-transfer', () => {
    expect(publishedWorlds.map(({ name }) => name)).toEqual(['no-transfer', 'null']);
  });

  it.each(publishedWorlds)('$name says what its numbers are worth', ({ label }) => {
    expect(label).toBe('tests the engine, says nothing about any method');
  });

  it.each(publishedWorlds)('$name names no phrase that no lesson holds', ({ effects }) => {
    const declared = effects.flatMap(({ when }) => when.phrases);
    const taught = lessons.map(({ phrase }) => phrase);
    expect(taught).toEqual(expect.arrayContaining(declared));
  });

  it('no-transfer declares every lesson for its own modality and for no other', () => {
    const { effects } = worldNamed('no-transfer');
    const expected = ['presentation', 'document', 'spreadsheet'].map((modality) => ({
      on: [modality],
      phrases: lessons.filter((lesson) => lesson.modality === modality).map(({ phrase }) => phrase),
    }));
    expect(effects.map(({ on, when }) => ({ on, phrases: when.phrases }))).toEqual(expected);
  });

  it.each(publishedWorlds)('$name expects the signs that its effects produce', (world) => {
    const rules = lessons.map(({ rule }, index) => ({
      id: `sai-${String(index + 1).padStart(5, '0')}`,
      content: rule,
    }));
    const signOf = (modality: Parameters<typeof policyOf>[0]): string => {
      const before = chooseBehaviour(world, policyOf(modality), []);
      const after = chooseBehaviour(world, policyOf(modality), rules);
      return before === after ? '0' : after === 'careful' ? '+' : '-';
    };
    for (const modality of ['presentation', 'document', 'spreadsheet'] as const) {
      expect(signOf(modality)).toBe(world.expectedSigns.inDomain);
      expect(signOf(modality)).toBe(world.expectedSigns.selection);
    }
    expect(signOf('cross-office')).toBe(world.expectedSigns.crossOffice);
  });

  it.each(['utopia', 'help'])('that do not exist, such as %s, are refused with those that do', (name) => {
    expect(() => readWorld(worldsDirectory, name)).toThrow(
      expect.objectContaining({ code: 'ANL-1003', why: expect.stringContaining('null, no-transfer') }),
    );
  });

  it.each([
    ['null', [], '0', '0'],
    ['help', [{ on: ['presentation', 'document', 'spreadsheet'], behaviour: 'careful' }], '+', '0'],
    ['harm', [{ on: ['presentation', 'document', 'spreadsheet'], behaviour: 'careless' }], '-', '0'],
    ['transfer', [{ on: ['presentation', 'cross-office'], behaviour: 'careful' }], '+', '+'],
  ])('of the kind %s can be declared', (name, effects, inDomain, crossOffice) => {
    const when = { kind: 'bullet', phrases: ['some declared phrase'] };
    const declared = World.safeParse({
      version: 1,
      name,
      sentence: 'It is so.',
      label: 'tests the engine, says nothing about any method',
      base: { carelessShare: { pack: 0.5, imported: 0.5 } },
      effects: effects.map((effect) => ({ when, ...effect })),
      expectedSigns: { selection: inDomain, inDomain, crossOffice },
    });
    expect(declared.error).toBeUndefined();
  });

  it.each(['crash', 'budget-tax'] as const)('may be named %s', (name) => {
    expect(World.shape.name.parse(name)).toBe(name);
  });
});
