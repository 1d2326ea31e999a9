import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { Report, ReportedArm } from '../../schema/report.ts';
import { countText } from '../layout/number-text.ts';

type NotDone = Report['notDone'][number];

/** What caps over the whole experiment left undone: passes that were not started, candidates never made, attempts cut off. */
export function notDone(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  arms: readonly ReportedArm[],
): NotDone[] {
  const { candidates, selectionQueries } = lock.identity.budgets.arm;
  const searches = arms.flatMap(({ arm, endedBy, candidates: made, queries }): NotDone[] => {
    if (endedBy !== 'cap') return [];
    const refused = records.flatMap((record) =>
      record.kind === 'decision' && record.arm === arm && record.event === 'pass-refused' && 'cap' in record.figures
        ? [{ arm, what: `a pass: ${record.reason}` }]
        : [],
    );
    const open = [
      ...(made.length < candidates ? [`${candidates - made.length} of ${countText(candidates, 'candidate')}`] : []),
      ...(queries.used < selectionQueries
        ? [
            `${selectionQueries - queries.used} of ${countText(selectionQueries, 'selection query', 'selection queries')}`,
          ]
        : []),
    ];
    return [...refused, ...(open.length === 0 ? [] : [{ arm, what: open.join(', ') }])];
  });
  const cut = records.filter(
    (record) => record.kind === 'attempt' && record.outcome.kind === 'cancelled' && record.outcome.by === 'budget',
  );
  return cut.length === 0
    ? searches
    : [...searches, { arm: null, what: `${countText(cut.length, 'attempt')} cut off by a limit, unscored` }];
}
