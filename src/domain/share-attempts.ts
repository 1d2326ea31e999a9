import type { ExperimentLock, LockedTask } from '../schema/experiment-lock.ts';
import type { ShareRequest } from './divide-cap.ts';

/**
 * The attempts by which a cap is divided. An arm's two champions differ only where one of them is H0: the final test has
 * one more revision per evolving arm.
 */
export function shareAttempts({
  identity,
}: ExperimentLock): Pick<ShareRequest, 'finalAttempts' | 'ofNewKinds' | 'baselineAttempts'> {
  const finals = identity.tasks.filter(({ split }) => split.startsWith('final'));
  const others = identity.tasks.filter(({ split }) => !split.startsWith('final'));
  const revisions = 1 + identity.arms.filter(({ updater }) => updater !== 'static').length;
  const isNew = ({ modality }: LockedTask): boolean => !others.some((task) => task.modality === modality);
  return {
    finalAttempts: finals.length * revisions,
    ofNewKinds: finals.filter(isNew).length * revisions,
    baselineAttempts: others.filter(({ split }) => split === 'selection').length,
  };
}
