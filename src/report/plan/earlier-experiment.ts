import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';

/** An experiment of the same data home, for what its attempts tell about the next ones. */
export interface EarlierExperiment {
  readonly lock: ExperimentLock;
  readonly records: readonly ExperimentRecord[];
}
