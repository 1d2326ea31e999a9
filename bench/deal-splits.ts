import { seededOrder } from '../src/domain/seeded-order.ts';

/** Tasks of the built-in pack that one kind has, by leakage group. */
const groups: readonly (readonly (readonly string[])[])[] = [
  [['p1'], ['p2', 'p3'], ['p4']],
  [['d1'], ['d2', 'd3'], ['d4']],
  [['x1'], ['x2'], ['x3'], ['x4']],
];

/**
 * The text of a splits file over the built-in pack that depends on the seed: of each single kind one task for feedback,
 * one for selection and one final, of three leakage groups; two cross-office tasks, final only.
 */
export function dealSplits(seed: number): string {
  const dealt = groups.map((kind) => {
    const order = seededOrder(
      seed,
      kind.map((group) => group.join(' ')),
    ).map((group) => group.split(' '));
    return {
      feedback: order[0]?.slice(0, 1) ?? [],
      selection: order[1]?.slice(0, 1) ?? [],
      final: order[2]?.slice(0, 1) ?? [],
    };
  });
  const crossOffice = seededOrder(seed, ['c1', 'c2', 'c3', 'c4']).slice(0, 2);
  const list = (name: string, tasks: readonly string[]): string =>
    `${name}: [${tasks.map((task) => `office-mini/${task}`).join(', ')}]\n`;
  return [
    `version: 1\nname: dealt-${seed}\n`,
    list(
      'feedback',
      dealt.flatMap(({ feedback }) => feedback),
    ),
    list(
      'selection',
      dealt.flatMap(({ selection }) => selection),
    ),
    list(
      'final-in-domain',
      dealt.flatMap(({ final }) => final),
    ),
    list('final-cross-office', crossOffice),
  ].join('');
}
