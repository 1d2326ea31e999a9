import type { Budgets } from '../schema/budgets.ts';

/** Whether anything is capped over the whole experiment. */
export function hasCaps({ budgets }: { readonly budgets: Budgets }): boolean {
  const { experiment } = budgets;
  return experiment?.moneyUsd !== undefined || experiment?.solverTokens !== undefined;
}
