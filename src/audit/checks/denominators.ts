import { attemptKey } from '../../domain/attempt-key.ts';
import { rewardOf } from '../../domain/outcome.ts';
import type { AttemptRecord } from '../../schema/record.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { attemptName } from '../attempt-name.ts';
import { isComplete, recordsOfKind, type AuditSources } from '../audit-sources.ts';
import { runAnew } from '../run-anew.ts';

/** Every mean is over its planned set: attempts are of planned tasks, in unbroken epochs, and none follows a score. */
export const denominatorsCheck: AuditCheck = {
  name: 'denominators',
  run: (sources) => {
    const attempts = recordsOfKind(sources, 'attempt');
    const faults = [...planFaults(sources, attempts), ...epochFaults(attempts), ...setFaults(sources, attempts)];
    return judge(
      faults,
      `every mean over its planned set; 0 of ${attempts.length} attempts replaced after scoring`,
      `do not use these means; restore the data home from a copy, or ${runAnew}`,
    );
  },
};

function planFaults({ lock }: AuditSources, attempts: readonly AttemptRecord[]): string[] {
  const planned = new Map(lock.identity.tasks.map((task) => [task.id, task]));
  return attempts.flatMap((attempt) => {
    const name = attemptName(attempt);
    const task = planned.get(attempt.task);
    if (task === undefined) return [`${name} is not planned`];
    const { split, modality, taskDigest, revision, replicate, key, phase } = attempt;
    return [
      ...(split === task.split && modality === task.modality ? [] : [`${name} is booked under ${split}, ${modality}`]),
      ...((phase === 'final') === task.split.startsWith('final-')
        ? []
        : [`${name} of ${task.split} is booked under ${phase}`]),
      ...(taskDigest === task.digest ? [] : [`${name} ran on another version of its task`]),
      ...(key === attemptKey(lock, revision, task, replicate) ? [] : [`${name}: its key names another attempt`]),
    ];
  });
}

function epochFaults(attempts: readonly AttemptRecord[]): string[] {
  const byKey = new Map<string, AttemptRecord[]>();
  for (const attempt of attempts) byKey.set(attempt.key, [...(byKey.get(attempt.key) ?? []), attempt]);
  return [...byKey.values()].flatMap((epochs) =>
    epochs
      .toSorted((left, right) => left.epoch - right.epoch)
      .flatMap((attempt, index, all) => {
        const name = attemptName(attempt);
        const before = all[index - 1];
        return [
          ...(attempt.epoch === index + 1
            ? []
            : [`${name} is restart ${attempt.epoch} and stands at place ${index + 1}`]),
          ...(before !== undefined && rewardOf(before.outcome) !== null
            ? [`${name} replaces a score of ${rewardOf(before.outcome) ?? ''}`]
            : []),
        ];
      }),
  );
}

/** Of a closed experiment that was not cancelled, every frozen revision met every final task. */
function setFaults(sources: AuditSources, attempts: readonly AttemptRecord[]): string[] {
  if (!isComplete(sources)) return [];
  const { identity } = sources.lock;
  const done = new Set(attempts.map(({ revision, task }) => `${revision} ${task}`));
  const finals = identity.tasks.filter(({ split }) => split.startsWith('final-'));
  const frozen = new Set([identity.harness, ...recordsOfKind(sources, 'champion').map(({ revision }) => revision)]);
  return [...frozen].flatMap((revision) =>
    finals
      .filter(({ id }) => !done.has(`${revision} ${id}`))
      .map(({ id }) => `${id} has no attempt of frozen revision ${revision.slice(0, 12)}`),
  );
}
