import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { MeasuredRevision, ReportedArm, UpdateCost } from '../../schema/report.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import { finalInference } from './solver-resources.ts';
import { reportedSplits, tasksOf } from './split-numbers.ts';

/** Updater tokens beside gains, in the shape of the paper's Table A11: H0, then each arm with its claimed champion. */
export function updateCosts(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  baseline: MeasuredRevision,
  arms: readonly ReportedArm[],
): UpdateCost[] {
  const measured = (revision: MeasuredRevision): Omit<UpdateCost, 'arm' | 'updater'> => ({
    revision: revision.revision,
    finalInference: finalInference(lock, attempts, revision.digest),
    inDomain: revision.inDomain.delta,
    crossOffice: revision.crossOffice.delta,
    all: revision.all.delta,
  });
  const none: Omit<UpdateCost, 'arm' | 'updater'> = {
    revision: null,
    finalInference: { reported: null, records: 0, planned: tasksOf(lock, reportedSplits.all).length },
    inDomain: null,
    crossOffice: null,
    all: null,
  };
  return [
    { arm: null, updater: null, ...measured(baseline) },
    ...arms.map(({ arm, tokens, champions }) => {
      const claimed = champions.find((champion) => champion.claimed);
      return { arm, updater: tokens.updater, ...(claimed === undefined ? none : measured(claimed)) };
    }),
  ];
}
