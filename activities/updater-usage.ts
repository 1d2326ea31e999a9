import type { Activities } from '../src/contract/activities.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** What an arm's updater has been charged so far, and its limit. */
export function updaterUsage({ gateway, experiments }: ActivityDependencies): Activities['updaterUsage'] {
  return async ({ experimentId, arm }) => {
    const lock = await experiments.lock(experimentId);
    const { roles } = await gateway.usage({ experimentId });
    const own = roles.find((entry) => entry.arm === arm && entry.role === 'updater');
    return { charged: own?.charged ?? 0, limit: own?.limit ?? lock.identity.budgets.arm.updaterTokens };
  };
}
