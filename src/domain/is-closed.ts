import type { ExperimentRecord } from '../schema/record.ts';

/** Where the record stands that closes an experiment: from then on the ledger lets nothing more be spent on it. */
export const closedKey = { stream: 'open', key: 'decision/experiment-closed' } as const;

/** Whether an experiment ended for good, by its records: its report was written, or it was cancelled or closed. */
export function isClosed(records: readonly ExperimentRecord[]): boolean {
  return records.some((record) => record.kind === 'decision' && record.event === 'experiment-closed');
}
