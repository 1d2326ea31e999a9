import { defineQuery, defineSignal } from '@temporalio/workflow';

/** Start nothing new (true) or go on (false); attempts in flight finish. Idempotent by target state. */
export const setPaused = defineSignal<[{ readonly paused: boolean }]>('setPaused');

/** Attempts in flight from now on; running ones finish. Idempotent by target state. */
export const setLanes = defineSignal<[{ readonly lanes: number }]>('setLanes');

/** What a workflow answers when asked how it stands; `arm` is null outside a search. */
export interface ExperimentStatus {
  /** `cancelled` from the cancellation on, while its report is written too. */
  readonly phase: 'baseline' | 'search' | 'freeze' | 'final' | 'report' | 'complete' | 'cancelled';
  /** The arm that searches. */
  readonly arm: string | null;
  readonly paused: boolean;
  readonly lanes: number;
}

/** What the experiment is doing; counts and budgets come from the records and the ledger. */
export const experimentStatus = defineQuery<ExperimentStatus>('experimentStatus');
