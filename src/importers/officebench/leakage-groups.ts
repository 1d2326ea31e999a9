import { codeUnitOrder } from '../../domain/code-unit-order.ts';
import type { Sha256 } from '../../schema/ids.ts';

/** Inputs below this size say too little to join two tasks; empty files say nothing. */
const smallestShared = 64;

/** What may join an upstream task to others: its inputs. */
export interface GroupMember {
  /** An upstream task: its subtasks are always kept together. */
  readonly id: string;
  readonly inputs: readonly { readonly path: string; readonly bytes: number; readonly sha256: Sha256 }[];
}

/** Upstream tasks that must serve one split. `joinedBy` lists each shared input with the files it stands in. */
export interface LeakageGroup {
  /** `officebench-` and the first of its members, so that it does not depend on the order of reading. */
  readonly id: string;
  readonly upstreamTasks: readonly string[];
  readonly joinedBy: readonly { readonly sha256: Sha256; readonly files: readonly string[] }[];
}

/** Joins upstream tasks that share an input, byte for byte. Members come in their order of precedence. */
export function leakageGroups(members: readonly GroupMember[]): LeakageGroup[] {
  const parent = members.map((_, index) => index);
  const root = (index: number): number => {
    const above = parent[index] ?? index;
    return above === index ? index : root(above);
  };
  const holders = new Map<Sha256, { readonly index: number; readonly file: string }[]>();
  for (const [index, member] of members.entries()) {
    for (const { path, bytes, sha256 } of member.inputs) {
      if (bytes < smallestShared) continue;
      const before = holders.get(sha256) ?? [];
      const first = before[0];
      if (first !== undefined) {
        const [low, high] = [root(first.index), root(index)].toSorted((a, b) => a - b) as [number, number];
        parent[high] = low;
      }
      holders.set(sha256, [...before, { index, file: `${member.id}/${path}` }]);
    }
  }
  const joins = [...holders].filter(([, files]) => new Set(files.map(({ index }) => index)).size > 1);
  return members.flatMap((member, index) => {
    if (root(index) !== index) return [];
    return [
      {
        id: `officebench-${member.id}`,
        upstreamTasks: members.filter((_, other) => root(other) === index).map(({ id }) => id),
        joinedBy: joins
          .filter(([, files]) => files.some((file) => root(file.index) === index))
          .map(([sha256, files]) => ({ sha256, files: files.map(({ file }) => file) }))
          .toSorted((a, b) => codeUnitOrder(a.sha256, b.sha256)),
      },
    ];
  });
}
