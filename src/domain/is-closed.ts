import type { ExperimentRecord } from '../schema/record.ts';

/** Whether an experiment ended for good, by its records: its report was written, or it was cancelled or closed. */
export function isClosed(records: readonly ExperimentRecord[]): boolean {
  return records.some((record) => record.kind === 'decision' && record.event === 'experiment-closed');
}
