import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { exposureEvent } from '../../schema/exposure-event.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import { progressOf } from '../status/progress.ts';

/** What people of one data home have seen of an experiment's final tasks. */
export interface ExposureCount {
  /** Final tasks of the experiment. */
  readonly tasks: number;
  /** Closed experiments, itself included, with results on at least one of those tasks, the same bytes. */
  readonly experiments: number;
  /** Sealed records of the experiment that somebody opened before it was closed. */
  readonly openings: number;
}

/** Counted over all experiments of a data home: a task whose results were seen is no blind test for the next idea. */
export function exposureOf(
  lock: ExperimentLock,
  all: readonly { readonly lock: ExperimentLock; readonly records: readonly ExperimentRecord[] }[],
): ExposureCount {
  const finals = new Set(lock.identity.tasks.filter(({ split }) => isFinal(split)).map(({ digest }) => digest));
  const opened = all.filter(
    ({ records }) =>
      progressOf(records).state !== 'open' &&
      records.some((record) => record.kind === 'attempt' && isFinal(record.split) && finals.has(record.taskDigest)),
  );
  const own = all.find((entry) => entry.lock.id === lock.id)?.records ?? [];
  return {
    tasks: finals.size,
    experiments: opened.length,
    openings: own.filter((record) => record.kind === 'decision' && record.event === exposureEvent).length,
  };
}

function isFinal(split: string): boolean {
  return split.startsWith('final-');
}
