import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leakageGroups } from '../../../src/importers/officebench/leakage-groups.ts';
import { sha256 } from '../../../src/importers/officebench/list-tree.ts';

const file = (content: string, bytes = 1000) => ({ path: 'data/x', bytes, sha256: sha256(content) });
const shape = (groups: ReturnType<typeof leakageGroups>) => groups.map(({ id, upstreamTasks }) => [id, upstreamTasks]);

describe('leakage groups', () => {
  test('tasks that share a file are one group, also through a third task', () => {
    const groups = leakageGroups([
      { id: '1-1', inputs: [file('a')] },
      { id: '1-2', inputs: [file('b')] },
      { id: '2-1', inputs: [file('c')] },
      { id: '3-1', inputs: [file('c'), file('a')] },
    ]);
    expect(shape(groups)).toEqual([
      ['officebench-1-1', ['1-1', '2-1', '3-1']],
      ['officebench-1-2', ['1-2']],
    ]);
    expect(groups[0]?.joinedBy.flatMap(({ files }) => files).toSorted()).toEqual([
      '1-1/data/x',
      '2-1/data/x',
      '3-1/data/x',
      '3-1/data/x',
    ]);
  });

  test('files under 64 bytes join nothing', () => {
    const members = ['1-1', '1-2'].map((id) => ({ id, inputs: [file('a', 63), file('', 0)] }));
    expect(shape(leakageGroups(members))).toHaveLength(2);
    expect(shape(leakageGroups(['1-1', '1-2'].map((id) => ({ id, inputs: [file('a', 64)] }))))).toHaveLength(1);
  });

  test('every task is in one group, and no file in two', () => {
    const member = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(member, { maxLength: 12 }), (lists) => {
        const members = lists.map((list, index) => ({ id: `1-${index}`, inputs: list.map((n) => file(String(n))) }));
        const groups = leakageGroups(members);
        expect(groups.flatMap(({ upstreamTasks }) => upstreamTasks).toSorted()).toEqual(
          members.map(({ id }) => id).toSorted(),
        );
        const held = groups.map(
          ({ upstreamTasks }) =>
            new Set(
              members
                .filter(({ id }) => upstreamTasks.includes(id))
                .flatMap(({ inputs }) => inputs.map((input) => input.sha256)),
            ),
        );
        expect(held.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(lists.flat()).size);
      }),
    );
  });
});
