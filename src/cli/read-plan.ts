import { isAnnealError } from '../domain/errors.ts';
import type { EarlierExperiment } from '../report/plan/earlier-experiment.ts';
import { estimatePlan } from '../report/plan/estimate-plan.ts';
import type { PlanEstimate } from '../report/plan/plan-estimate.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import { experimentDirectory, listExperiments } from '../services/data-home/experiment-directory.ts';
import { readRecords } from '../services/data-home/read-records.ts';

/** What a frozen experiment still has to do, from its own records and those of every other one of the data home. */
export function readPlan(home: DataHome, lock: ExperimentLock): PlanEstimate {
  const stored = listExperiments(home);
  const known = stored.some(({ digest }) => digest === lock.digest);
  const own = known ? recordsOf(home, lock) : [];
  const earlier = stored.filter(({ digest }) => digest !== lock.digest).flatMap((other) => readEarlier(home, other));
  return estimatePlan(lock, own, known, earlier);
}

function recordsOf(home: DataHome, { id }: ExperimentLock): ReturnType<typeof readRecords> {
  return readRecords(experimentDirectory(home, id));
}

/** Damaged records of another experiment say nothing; they are told by its own commands. */
function readEarlier(home: DataHome, lock: ExperimentLock): EarlierExperiment[] {
  try {
    return [{ lock, records: recordsOf(home, lock) }];
  } catch (error) {
    if (isAnnealError(error)) return [];
    throw error;
  }
}
