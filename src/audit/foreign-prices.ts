import { canonicalJson } from '../domain/canonical-json.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { Role } from '../schema/lease.ts';
import type { ModelPrice } from '../schema/prices.ts';

/** A call as far as its price goes. `reservedAt` in milliseconds since 1970; a price that is gone is null. */
export interface PricedCall {
  readonly role: Role;
  readonly reservedAt: number;
  readonly price: ModelPrice | null;
}

/** What calls were made at other prices than the frozen ones. */
export interface ForeignPrices {
  readonly faults: readonly string[];
  /** Calls at an earlier price. */
  readonly earlier: number;
}

/**
 * Calls are made at the frozen price of their role. A price may change when an experiment goes on: calls at another one are
 * then at one that the lock keeps as an earlier one, or all older than the first at the one that stands.
 */
export function foreignPrices(
  { operational }: Pick<ExperimentLock, 'operational'>,
  calls: readonly PricedCall[],
): ForeignPrices {
  const roles = [...new Set(calls.map(({ role }) => role))];
  const found = roles.map((role) => ofRole(role, operational, calls));
  return {
    faults: found.flatMap(({ faults }) => faults),
    earlier: found.reduce((sum, { earlier }) => sum + earlier, 0),
  };
}

function ofRole(
  role: Role,
  { prices, earlierPrices }: ExperimentLock['operational'],
  calls: readonly PricedCall[],
): ForeignPrices {
  const frozen = prices?.[role];
  const before = new Set((earlierPrices?.[role] ?? []).map((price) => canonicalJson(price)));
  const own = calls.filter((call) => call.role === role && call.price !== null);
  const isFrozen = ({ price }: PricedCall): boolean =>
    frozen === undefined ? price?.kind === 'unknown' : canonicalJson(price) === canonicalJson(frozen);
  const others = own.filter((call) => !isFrozen(call));
  const since = own.filter(isFrozen).reduce((first, { reservedAt }) => Math.min(first, reservedAt), Infinity);
  const unknown = others.filter(({ price }) => !before.has(canonicalJson(price)));
  const late = since === Infinity ? unknown : unknown.filter(({ reservedAt }) => reservedAt > since);
  return late.length === 0
    ? { faults: [], earlier: others.length }
    : {
        faults: [`${late.length} of ${own.length} calls of the ${role} were made at another price than the frozen one`],
        earlier: 0,
      };
}
