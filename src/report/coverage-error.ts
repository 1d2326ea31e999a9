import { canonicalAttempts, isJudgeFailure } from '../domain/canonical-attempts.ts';
import { AnnealError } from '../domain/errors.ts';
import { rewardOf } from '../domain/outcome.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { AttemptRecord, DecisionRecord, ExperimentRecord } from '../schema/record.ts';
import type { Split } from '../schema/splits.ts';
import { reportedSplits } from './numbers/split-numbers.ts';

/**
 * Why a pass below its floor of coverage waits, and the way on. `figures` are those of the hold; what has a score and what
 * awaits a judgement is counted as the records stand now, for a second judgement changes it while the hold lasts.
 */
export function coverageError(
  lock: ExperimentLock,
  figures: DecisionRecord['figures'],
  records: readonly ExperimentRecord[],
): AnnealError {
  const experiment = lock.id;
  const number = (name: string): number => Number(figures[name] ?? 0);
  const pass = String(figures['pass'] ?? 'pass');
  const planned = number('planned');
  const attempts = attemptsOf(lock, pass, records);
  const scored = attempts.filter(({ outcome }) => rewardOf(outcome) !== null).length;
  const missing = attempts.filter(({ outcome }) => outcome.kind === 'unscored_infra').length;
  const judge = attempts.filter(isJudgeFailure).length;
  const judgedSince = number('judge') > judge;
  return new AnnealError(
    'ANL-4003',
    { experiment, missing: missing === 0 ? number('missing') : missing, planned, pass },
    {
      why: `${scored} of ${planned} have one${judgedSince ? ' now' : ', below the floor'}; ${wayOut(missing, judge)}`,
      ...(judge > 0 ? { next: `anneal rejudge ${experiment}     then: anneal resume ${experiment}` } : {}),
      ...(judge === 0 && judgedSince ? { next: `anneal resume ${experiment}` } : {}),
      notSpent: 'while it waits nothing is sent, 0 tokens are spent; what is scored stands',
    },
  );
}

/** Those of H0 on selection, or of every frozen revision on the finals: nothing else runs there. */
function attemptsOf(
  { identity }: ExperimentLock,
  pass: string,
  records: readonly ExperimentRecord[],
): readonly AttemptRecord[] {
  const splits: readonly Split[] = pass === 'final' ? reportedSplits.all : reportedSplits.selection;
  return canonicalAttempts(records).all.filter(
    ({ split, revision, replicate }) =>
      splits.includes(split) && replicate === 0 && (pass === 'final' || revision === identity.harness),
  );
}

/** What gives the others a score: a run is not repeated for a judge that failed. */
function wayOut(missing: number, judge: number): string {
  if (missing === 0) return 'it goes on at a resume';
  if (judge === 0) return 'the others are made again at a resume';
  const awaiting = `${judge} ran and ${judge === 1 ? 'awaits' : 'await'} a judgement, for the judge failed`;
  return missing === judge ? awaiting : `${awaiting}; the others are made again at a resume`;
}
