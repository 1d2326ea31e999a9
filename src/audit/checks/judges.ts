import { rewardOf } from '../../domain/outcome.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { recordsOfKind } from '../audit-sources.ts';
import { runAnew } from '../run-anew.ts';

/** Everything was judged by the judges that the experiment froze, on tasks that still are what was frozen. */
export const judgesCheck: AuditCheck = {
  name: 'judges',
  run: (sources) => {
    const { lock, tasks } = sources;
    const frozen = lock.identity.judges;
    const judged = [...recordsOfKind(sources, 'attempt'), ...recordsOfKind(sources, 'judgement')].filter(
      ({ outcome }) => rewardOf(outcome) !== null,
    );
    return judge(
      [
        ...judged
          .filter(({ judges }) => judges !== frozen)
          .map(
            ({ task, key, judges }) =>
              `${task} ${key.slice(0, 12)}: judge digest differs (${judges?.slice(0, 8) ?? 'none'}… ≠ ${frozen.slice(0, 8)}…)`,
          ),
        ...tasks
          .filter(({ digest, locked }) => digest !== locked.digest)
          .map(({ digest, locked }) => `${locked.id} ${digest === null ? 'cannot be read' : 'is not what was frozen'}`),
      ],
      `${judged.length} judgements by judges sha256:${frozen.slice(0, 8)}…; ${tasks.length} tasks are what was frozen`,
      `restore the tasks named; where other judges judged, ${runAnew}`,
    );
  },
};
