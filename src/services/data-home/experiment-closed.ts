import { isClosed } from '../../domain/is-closed.ts';
import type { ExperimentId } from '../../schema/ids.ts';
import type { DataHome } from './data-home.ts';
import { experimentDirectory } from './experiment-directory.ts';
import { readRecords } from './read-records.ts';

/** Whether an experiment ended for good: its report was written, or it was cancelled. Read from its records alone. */
export function isExperimentClosed(home: DataHome, id: ExperimentId): boolean {
  return isClosed(readRecords(experimentDirectory(home, id)));
}
