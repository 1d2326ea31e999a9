import { canonicalJson } from './canonical-json.ts';
import { codeUnitOrder } from './code-unit-order.ts';
import { sha256Of } from './sha256.ts';

/** A random-looking order that depends on the seed and the items' names alone, not on their given order. */
export function seededOrder<Item extends string>(seed: number, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: sha256Of(canonicalJson(['order', seed, item])) }))
    .toSorted((left, right) => codeUnitOrder(left.rank, right.rank) || codeUnitOrder(left.item, right.item))
    .map(({ item }) => item);
}
