import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../schema/record.ts';

/** Write an experiment's report files into `folder`. */
export async function writeReportFiles(
  _lock: ExperimentLock,
  _records: readonly ExperimentRecord[],
  _folder: string,
): Promise<void> {}
