import type { JudgeReport } from '../schema/judgement.ts';

/** Criteria that were not met: earned in part or not at all; for a penalty (negative weight), incurred. */
export function violatedCriteria({ criteria }: Pick<JudgeReport, 'criteria'>): JudgeReport['criteria'] {
  return criteria.filter(({ weight, status, earned }) =>
    weight < 0 ? earned > 0 : status === 'fail' || status === 'partial',
  );
}
