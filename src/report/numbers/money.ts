import { modelName } from '../model-name.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { microUsdCap } from '../../schema/budgets.ts';
import type { Role } from '../../schema/lease.ts';
import type { ModelPrice } from '../../schema/prices.ts';
import type { MoneyTotals, ReportedCap, RoleTotal } from '../../schema/report.ts';

const roles = ['solver', 'updater', 'judge'] as const;

/** What each model costs and what all of them came to; `totals` null before they were recorded. */
export function moneyTotals(lock: ExperimentLock, totals: readonly RoleTotal[] | null): MoneyTotals {
  const models = pricedModels(lock);
  const known = totals?.every(({ microUsd }) => microUsd !== null) === true;
  return {
    models,
    priced: models.filter(({ price }) => price.kind !== 'unknown').length,
    microUsd: known ? totals.reduce((sum, { microUsd }) => sum + (microUsd ?? 0), 0) : null,
    unpricedCalls: (totals ?? []).reduce((sum, { unpricedCalls }) => sum + unpricedCalls, 0),
  };
}

/** The caps over the whole experiment beside what was used of them. */
export function reportedCaps(
  { identity: { budgets } }: ExperimentLock,
  totals: readonly RoleTotal[] | null,
): ReportedCap[] {
  const microUsd = microUsdCap(budgets);
  const tokens = budgets.experiment?.solverTokens;
  const costs = totals?.map((total) => total.microUsd) ?? [null];
  return [
    ...(microUsd === null
      ? []
      : [
          {
            kind: 'money' as const,
            limit: microUsd,
            used: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
          },
        ]),
    ...(tokens === undefined
      ? []
      : [
          {
            kind: 'solver-tokens' as const,
            limit: tokens,
            used: totals?.find(({ role }) => role === 'solver')?.charged ?? null,
          },
        ]),
  ];
}

/** Each model of an experiment once, by name and endpoint, with its price. */
export function pricedModels({ identity, operational }: ExperimentLock): MoneyTotals['models'] {
  const found = new Map<string, { model: string; roles: Role[]; price: ModelPrice }>();
  for (const role of roles) {
    const settings = identity.models[role];
    if (settings === null) continue;
    const { model, key } = modelName(settings);
    const known = found.get(key);
    if (known !== undefined) known.roles.push(role);
    else {
      const price = operational.prices?.[role] ?? { kind: 'unknown', why: 'it was frozen before there were prices' };
      found.set(key, { model, roles: [role], price });
    }
  }
  return [...found.values()];
}
