import { assertNever } from '../../domain/assert-never.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { HarnessDigest } from '../../schema/ids.ts';
import { AgentErrorCause, type Outcome } from '../../schema/outcome.ts';
import type { OutcomeClasses, Report } from '../../schema/report.ts';
import type { Split } from '../../schema/splits.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import type { NamedRevision } from '../revisions.ts';
import { outcomesOf, tasksOf } from './split-numbers.ts';

/** How the runs of a revision on a split ended, with H0's agent errors on the same split beside its own. */
export function outcomeClasses(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  { arm, name, digest }: NamedRevision,
  split: Split,
): OutcomeClasses {
  const tasks = tasksOf(lock, [split]);
  const outcomes = outcomesOf(attempts, digest, tasks).map(({ outcome }) => outcome);
  const count = (kind: Outcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    arm,
    revision: name,
    split,
    planned: tasks.length,
    ended: count('scored'),
    agentErrors: AgentErrorCause.options
      .map((cause) => ({
        cause,
        count: errorsOf(lock, attempts, digest, split, cause),
        h0: errorsOf(lock, attempts, lock.identity.harness, split, cause),
      }))
      .filter(({ count: own, h0 }) => own > 0 || h0 > 0),
    infra: count('unscored_infra'),
    repeats: livesOf(attempts, digest, split) - outcomes.length,
    cancelled: count('cancelled'),
    missing: tasks.length - outcomes.length,
  };
}

/** Lives that a revision's attempts on a split had, in sandboxes of their own. */
function livesOf({ records }: CanonicalAttempts, revision: HarnessDigest, split: Split): number {
  const own = records.filter((record) => record.revision === revision && record.split === split);
  return new Set(own.map(({ key, epoch }) => `${key} ${epoch}`)).size;
}

function errorsOf(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  revision: HarnessDigest,
  split: Split,
  cause: AgentErrorCause,
): number {
  return outcomesOf(attempts, revision, tasksOf(lock, [split])).filter(
    ({ outcome }) => outcome.kind === 'scored_with_agent_error' && outcome.cause === cause,
  ).length;
}

/** Planned tasks of a split that have no score, with the reason. */
export function unscoredTasks(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  { arm, name, digest }: NamedRevision,
  split: Split,
): Report['unscored'] {
  return tasksOf(lock, [split]).flatMap(({ id }) => {
    const outcome = attempts.of(digest, id)?.outcome;
    const why = outcome === undefined ? 'not run' : whyUnscored(outcome);
    return why === null ? [] : [{ arm, revision: name, split, task: id, why }];
  });
}

function whyUnscored(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case 'scored':
    case 'scored_with_agent_error':
      return null;
    case 'unscored_infra':
      return `infra in ${outcome.phase}: ${outcome.reason}`;
    case 'cancelled':
      return `cancelled by ${outcome.by}`;
    default:
      return assertNever(outcome);
  }
}
