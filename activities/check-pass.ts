import type { Activities } from '../src/contract/activities.ts';
import { isJudgeFailure } from '../src/domain/canonical-attempts.ts';
import { checkCoverage } from '../src/domain/coverage-floor.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { foldPass } from './fold-pass.ts';
import type { RecordStore } from './record-store.ts';

/** Fold each revision over the planned tasks of each split and hold the result against the floors. */
export function checkPass({ experiments }: ActivityDependencies, records: RecordStore): Activities['checkPass'] {
  return async ({ experimentId, revisions, splits }) => {
    const lock = await experiments.lock(experimentId);
    const all = await records.all(experimentId);
    const cells = revisions.flatMap((revision) =>
      splits.map((split) => {
        const taskIds = lock.identity.tasks.filter((task) => task.split === split).map(({ id }) => id);
        const { fold, attempts } = foldPass(lock, all, revision, taskIds, 0);
        const verdict = checkCoverage(split, fold, lock.identity.reporting.coverageFloor);
        return {
          fold,
          judge: attempts.filter(isJudgeFailure).length,
          isBelow: verdict.kind === 'below_floor' && fold.infrastructure > 0,
        };
      }),
    );
    const sum = (figure: 'planned' | 'scored' | 'infrastructure'): number =>
      cells.reduce((total, { fold }) => total + fold[figure], 0);
    return {
      planned: sum('planned'),
      scored: sum('scored'),
      infrastructure: sum('infrastructure'),
      judge: cells.reduce((total, { judge }) => total + judge, 0),
      belowFloor: cells.some(({ isBelow }) => isBelow),
    };
  };
}
