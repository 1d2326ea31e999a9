import { describe, expect, it } from 'vitest';
import type { World } from '../../src/schema/world.ts';
import type { Modality } from '../../src/schema/splits.ts';
import { chooseBehaviour, deliberationTurns } from '../../src/simulated/choose-behaviour.ts';
import { lessons } from '../../src/simulated/lessons.ts';
import { book, policyOf } from './policy-fixture.ts';
import { publishedWorlds, worldNamed } from './published-worlds.ts';

const noTransfer = worldNamed('no-transfer');
const modalities: Modality[] = ['presentation', 'document', 'spreadsheet', 'cross-office'];
const seed = 7;
/** The world without luck. */
function unlucky(name: string): World {
  const world = worldNamed(name);
  return { ...world, base: { ...world.base, luckyShare: 0 } };
}
const bullet = (content: string): { id: string; content: string } => ({ id: 'sai-00001', content });
const pairs = lessons.flatMap((lesson) => modalities.map((modality) => ({ lesson, modality, about: lesson.modality })));

describe('behaviour in a world', () => {
  it.each(pairs)(
    'no-transfer: a lesson about $about ($lesson.category) decides $modality tasks only if it is their own',
    (pair) => {
      const behaviour = chooseBehaviour(noTransfer, policyOf(pair.modality), [bullet(pair.lesson.rule)], seed);
      expect(behaviour).toBe(pair.about === pair.modality ? 'careful' : 'careless');
    },
  );

  it.each(book.policies)('null: all lessons together change nothing for $modality tasks', (policy) => {
    const all = lessons.map(({ rule }) => bullet(rule));
    const world = worldNamed('null');
    expect(chooseBehaviour(world, policy, all, seed)).toBe(chooseBehaviour(world, policy, [], seed));
  });

  it.each(book.policies)(
    'no-transfer: irrelevant rules of equal length change nothing for $modality tasks',
    (policy) => {
      const irrelevant = lessons.map(({ rule }) => bullet(Array.from(rule).toReversed().join('')));
      expect(chooseBehaviour(noTransfer, policy, irrelevant, seed)).toBe(chooseBehaviour(noTransfer, policy, [], seed));
    },
  );

  it('a phrase that is spread over two bullets holds nowhere', () => {
    const [lesson] = lessons.filter(({ modality }) => modality === 'document');
    const phrase = lesson?.phrase ?? '';
    const halves = [bullet(phrase.slice(0, 20)), bullet(phrase.slice(20))];
    expect(chooseBehaviour(noTransfer, policyOf('document'), halves, seed)).toBe('careless');
  });

  it('of two effects on one task the later one holds', () => {
    const [first] = noTransfer.effects;
    if (first === undefined) throw new Error('no effect');
    const undone = { ...noTransfer, effects: [...noTransfer.effects, { ...first, behaviour: 'careless' as const }] };
    const [lesson] = lessons;
    expect(chooseBehaviour(undone, policyOf('presentation'), [bullet(lesson?.rule ?? '')], seed)).toBe('careless');
  });

  it('the declared share of imported tasks is careless under H0, by their digests alone', () => {
    const policies = Array.from({ length: 1000 }, (_, index) => ({
      ...policyOf('document'),
      origin: 'imported' as const,
      instructionDigest: ((index * 2_654_435_761) % 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0')
        .padEnd(64, '0') as never,
    }));
    const careless = policies.filter((policy) => chooseBehaviour(noTransfer, policy, [], seed) === 'careless').length;
    expect(careless / policies.length).toBeCloseTo(noTransfer.base.carelessShare.imported, 1);
  });

  it.each(publishedWorlds)('$name: irrelevant rules of equal length change nothing', (world) => {
    const irrelevant = lessons.map(({ rule }) => bullet(Array.from(rule).toReversed().join('')));
    for (const policy of book.policies) {
      expect(chooseBehaviour(world, policy, irrelevant, seed)).toBe(chooseBehaviour(world, policy, [], seed));
      expect(deliberationTurns(world, policy, irrelevant)).toEqual([]);
    }
  });

  it('help: lessons about what nothing goes wrong with are superstition', () => {
    for (const { category, rule } of lessons) {
      const real = ['facts', 'native-structure', 'protected-content'].includes(category);
      const behaviour = chooseBehaviour(unlucky('help'), policyOf('cross-office'), [bullet(rule)], seed);
      expect(behaviour).toBe(real ? 'careful' : 'careless');
    }
  });

  it('transfer: two lessons make cross-office tasks right if they are about two kinds of tasks', () => {
    for (const [one, other] of lessons.flatMap((first) => lessons.map((second) => [first, second] as const))) {
      const rules = [bullet(one.rule), bullet(other.rule)];
      const behaviour = chooseBehaviour(unlucky('transfer'), policyOf('cross-office'), rules, seed);
      expect(behaviour).toBe(one.modality === other.modality ? 'careless' : 'careful');
    }
  });

  it('budget-tax: every rule costs its turns and changes no work', () => {
    const world = worldNamed('budget-tax');
    const rules = lessons.slice(0, 3).map(({ rule }) => bullet(rule));
    for (const policy of book.policies) {
      expect(chooseBehaviour(world, policy, rules, seed)).toBe(chooseBehaviour(world, policy, [], seed));
      const turns = deliberationTurns(world, policy, rules);
      expect(turns.map(({ length }) => length)).toEqual(Array.from({ length: 12 }, () => 4000));
    }
  });

  it('luck takes the declared share of attempts, by the attempt’s seed alone', () => {
    const world = worldNamed('null');
    const seeds = Array.from({ length: 1000 }, (_, index) => index);
    const lucky = seeds.filter((each) => chooseBehaviour(world, policyOf('document'), [], each) === 'careful').length;
    expect(lucky / seeds.length).toBeCloseTo(world.base.luckyShare ?? 0, 1);
  });

  it.each([
    { share: 0, behaviour: 'careful' },
    { share: 1, behaviour: 'careless' },
  ])('a share of $share makes every task $behaviour', ({ share, behaviour }) => {
    const world = { ...noTransfer, base: { carelessShare: { pack: share, imported: share } } };
    for (const policy of book.policies) expect(chooseBehaviour(world, policy, [], seed)).toBe(behaviour);
  });
});
