import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { Role } from '../schema/lease.ts';
import type { ModelPrice } from '../schema/prices.ts';
import { canonicalJson } from './canonical-json.ts';

type Priced = Pick<ExperimentLock['operational'], 'prices' | 'earlierPrices'>;

/**
 * What each role's model cost before an experiment went on at other prices, oldest first, each once; empty while nothing
 * changed. Calls keep the price they were made at, so the prices of before have to stay known.
 */
export function earlierPrices(before: Priced, now: Priced): Pick<Priced, 'earlierPrices'> {
  const named = new Set([...Object.keys(before.earlierPrices ?? {}), ...Object.keys(before.prices ?? {})]);
  const roles = ([...named] as Role[]).flatMap((role): [Role, ModelPrice[]][] => {
    const known = before.earlierPrices?.[role] ?? [];
    const last = before.prices?.[role];
    const changed = last !== undefined && !samePrice(last, now.prices?.[role]);
    const all = changed && !known.some((price) => samePrice(price, last)) ? [...known, last] : known;
    return all.length === 0 ? [] : [[role, all]];
  });
  return roles.length === 0 ? {} : { earlierPrices: Object.fromEntries(roles) };
}

function samePrice(left: ModelPrice, right: ModelPrice | undefined): boolean {
  return canonicalJson(left) === canonicalJson(right ?? null);
}
