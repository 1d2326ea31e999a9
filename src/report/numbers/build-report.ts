import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { isSimulated, worldOf } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { AuditStanding, Report, ReportedArm } from '../../schema/report.ts';
import { Split } from '../../schema/splits.ts';
import { canonicalAttempts } from '../../domain/canonical-attempts.ts';
import { findingsOf } from './findings.ts';
import { labelsOf } from '../layout/labels.ts';
import { moneyTotals, reportedCaps } from './money.ts';
import { notDone } from './not-done.ts';
import { servedModels } from './served-models.ts';
import { measuredNumbers } from './measured-numbers.ts';
import { outcomeClasses, unscoredTasks } from './outcome-classes.ts';
import { progressOf } from '../status/progress.ts';
import { reportedArm } from './reported-arm.ts';
import { revisionsOf, type NamedRevision } from '../revisions.ts';
import { solverResources } from './solver-resources.ts';
import { tasksOf } from './split-numbers.ts';
import { tokenTotals } from './token-totals.ts';
import { updateCosts } from './update-costs.ts';

/** Decisions that stand elsewhere in the report. */
const toldElsewhere = new Set(['phase-started', 'experiment-closed']);

/**
 * Everything a report says, from the frozen config and the records alone; `audit` says whether they were audited. Until the experiment is closed, finals are
 * counts. Intervals and p-values are not part of it.
 */
export function buildReport(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  audit: AuditStanding = { kind: 'unaudited' },
): Report {
  const { identity } = lock;
  const attempts = canonicalAttempts(records);
  const progress = progressOf(records);
  const revisions = revisionsOf(lock, records);
  const totals = tokenTotals(records);
  const sealed = progress.state === 'open';
  const { h0 } = revisions;
  const baseline = {
    revision: h0.name,
    commit: h0.commit,
    digest: h0.digest,
    ...measuredNumbers(lock, attempts, h0.digest, sealed),
  };
  const arms = identity.arms.map((arm) => reportedArm({ lock, records, attempts, progress, revisions, totals }, arm));
  const measured = [h0, ...arms.flatMap((arm) => evolvedChampions(arm))];
  const openSplits = Split.options.filter((split) => split === 'selection' || (!sealed && split !== 'feedback'));
  const each = measured.flatMap((revision) => openSplits.map((split) => ({ revision, split })));
  return {
    version: 1,
    experiment: lock.id,
    name: identity.name,
    digest: lock.digest,
    engine: lock.engine,
    createdAt: lock.createdAt,
    simulated: isSimulated(identity),
    world: worldOf(identity),
    labels: labelsOf(lock),
    state: progress.state,
    phase: progress.phase,
    audit,
    reporting: identity.reporting,
    budgets: identity.budgets,
    baseline,
    arms,
    outcomes: each.map(({ revision, split }) => outcomeClasses(lock, attempts, revision, split)),
    unscored: sealed ? [] : each.flatMap(({ revision, split }) => unscoredTasks(lock, attempts, revision, split)),
    attempts: Split.options.map((split) => ({
      split,
      tasks: tasksOf(lock, [split]).length,
      records: records.filter((record) => record.kind === 'attempt' && record.split === split).length,
      canonical: attempts.all.filter((record) => record.split === split).length,
    })),
    resources: {
      solver: sealed ? [] : measured.map((revision) => solverResources(lock, attempts, revision)),
      updates: sealed ? [] : updateCosts(lock, attempts, baseline, arms),
      tokens: totals.byRole === null ? null : [...totals.byRole],
      money: moneyTotals(lock, totals.byRole),
      caps: reportedCaps(lock, totals.byRole),
    },
    served: servedModels(lock, records),
    notDone: notDone(lock, records, arms),
    decisions: records.flatMap((record) =>
      record.kind === 'decision' && !toldElsewhere.has(record.event)
        ? [{ at: record.at, arm: record.arm, event: record.event, reason: record.reason }]
        : [],
    ),
    findings: findingsOf(lock, records),
  };
}

/** Frozen revisions of an arm other than H0, each once. */
function evolvedChampions({ arm, champions }: ReportedArm): NamedRevision[] {
  return champions
    .filter(({ revision }) => revision !== 'h0')
    .filter(({ digest }, index, evolved) => evolved.findIndex((other) => other.digest === digest) === index)
    .map(({ revision, digest }) => ({ arm, name: revision, digest }));
}
