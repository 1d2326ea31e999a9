/** Batches that ACE deals its feedback into where the budgets allow as many. */
const most = 3;

/** As many batches as candidates may be submitted and measured, at most three. */
export function aceBatchCount(
  budgets: { readonly candidates: number; readonly selectionQueries: number },
  feedbackTasks: number,
): number {
  return Math.max(0, Math.min(most, budgets.candidates, budgets.selectionQueries - 1, feedbackTasks));
}
