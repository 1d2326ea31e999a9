import { describe, expect, it } from 'vitest';
import type { Modality } from '../../src/schema/splits.ts';
import { chooseBehaviour } from '../../src/simulated/choose-behaviour.ts';
import { lessons } from '../../src/simulated/lessons.ts';
import { book, policyOf } from './policy-fixture.ts';
import { worldNamed } from './published-worlds.ts';

const noTransfer = worldNamed('no-transfer');
const modalities: Modality[] = ['presentation', 'document', 'spreadsheet', 'cross-office'];
const bullet = (content: string): { id: string; content: string } => ({ id: 'sai-00001', content });
const pairs = lessons.flatMap((lesson) => modalities.map((modality) => ({ lesson, modality, about: lesson.modality })));

describe('behaviour in a world', () => {
  it.each(pairs)(
    'no-transfer: a lesson about $about ($lesson.category) decides $modality tasks only if it is their own',
    (pair) => {
      const behaviour = chooseBehaviour(noTransfer, policyOf(pair.modality), [bullet(pair.lesson.rule)]);
      expect(behaviour).toBe(pair.about === pair.modality ? 'careful' : 'careless');
    },
  );

  it.each(book.policies)('null: all lessons together change nothing for $modality tasks', (policy) => {
    const all = lessons.map(({ rule }) => bullet(rule));
    const world = worldNamed('null');
    expect(chooseBehaviour(world, policy, all)).toBe(chooseBehaviour(world, policy, []));
  });

  it.each(book.policies)(
    'no-transfer: irrelevant rules of equal length change nothing for $modality tasks',
    (policy) => {
      const irrelevant = lessons.map(({ rule }) => bullet([...rule].toReversed().join('')));
      expect(chooseBehaviour(noTransfer, policy, irrelevant)).toBe(chooseBehaviour(noTransfer, policy, []));
    },
  );

  it('a phrase that is spread over two bullets holds nowhere', () => {
    const [lesson] = lessons.filter(({ modality }) => modality === 'document');
    const phrase = lesson?.phrase ?? '';
    const halves = [bullet(phrase.slice(0, 20)), bullet(phrase.slice(20))];
    expect(chooseBehaviour(noTransfer, policyOf('document'), halves)).toBe('careless');
  });

  it('of two effects on one task the later one holds', () => {
    const [first] = noTransfer.effects;
    if (first === undefined) throw new Error('no effect');
    const undone = { ...noTransfer, effects: [...noTransfer.effects, { ...first, behaviour: 'careless' as const }] };
    const [lesson] = lessons;
    expect(chooseBehaviour(undone, policyOf('presentation'), [bullet(lesson?.rule ?? '')])).toBe('careless');
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
    const careless = policies.filter((policy) => chooseBehaviour(noTransfer, policy, []) === 'careless').length;
    expect(careless / policies.length).toBeCloseTo(noTransfer.base.carelessShare.imported, 1);
  });

  it.each([
    { share: 0, behaviour: 'careful' },
    { share: 1, behaviour: 'careless' },
  ])('a share of $share makes every task $behaviour', ({ share, behaviour }) => {
    const world = { ...noTransfer, base: { carelessShare: { pack: share, imported: share } } };
    for (const policy of book.policies) expect(chooseBehaviour(world, policy, [])).toBe(behaviour);
  });
});
