import type { Command } from '@commander-js/extra-typings';
import { canonicalAttempts, isJudgeFailure } from '../../domain/canonical-attempts.ts';
import { AnnealError, isAnnealError } from '../../domain/errors.ts';
import { rewardOf } from '../../domain/outcome.ts';
import { holdOf } from '../../report/status/holds.ts';
import { countText } from '../../report/layout/number-text.ts';
import { outcomeText } from '../../report/attempt/outcome-text.ts';
import { progressOf } from '../../report/status/progress.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { AttemptRecord, ExperimentRecord } from '../../schema/record.ts';
import type { DataHome } from '../../services/data-home/data-home.ts';
import { experimentDirectory } from '../../services/data-home/experiment-directory.ts';
import type { CommandContext } from '../context.ts';
import { findAttempts } from '../find-attempts.ts';
import { jsonOption } from '../options.ts';
import { readRecords } from '../../services/data-home/read-records.ts';

/** `anneal rejudge [ATTEMPT|EXP]`. */
export function addRejudge(program: Command, context: CommandContext): void {
  program
    .command('rejudge')
    .summary('judge again where a judge failed; nothing is solved again')
    .description(
      'Judge attempts again whose judge failed, from the outputs that they left. The run itself is never repeated, an ' +
        'attempt with a score stays as it is, and the new judgement is recorded beside the failed one. Costs no tokens ' +
        'of a solver.',
    )
    .argument(
      '[what]',
      'an experiment, or an attempt: the start of its key, or its task; the newest experiment without it',
    )
    .option('-e, --experiment <experiment>', 'where an attempt is looked for; the newest without it')
    .addOption(jsonOption())
    .action(async (what, { experiment, json = false }) => {
      const home = context.existingHome();
      const { lock, attempt } = meant(context, home, what, experiment);
      const failed = failedOnes(lock, readAll(home, lock), attempt);
      if (failed.length > 0) {
        context.terminal.narrate(
          `judging ${countText(failed.length, 'attempt')} of ${lock.id} again from what was left; nothing is solved again`,
        );
        await context.withEngine(home, async (engine) => {
          await engine.up((line) => context.terminal.narrate(line));
          await engine.rejudge(
            lock,
            failed.map(({ next }) => next),
          );
        });
      }
      show(context, home, lock, failed, json);
    });
}

/** An experiment by that name or, where there is none, an attempt of one. */
function meant(
  context: CommandContext,
  home: DataHome,
  what: string | undefined,
  experiment: string | undefined,
): { readonly lock: ExperimentLock; readonly attempt: string | null } {
  if (experiment !== undefined) return { lock: context.experiment(home, experiment), attempt: what ?? null };
  try {
    return { lock: context.experiment(home, what), attempt: null };
  } catch (error) {
    if (what === undefined || !isAnnealError(error, 'ANL-1008')) throw error;
    return { lock: context.experiment(home, undefined), attempt: what };
  }
}

function readAll(home: DataHome, lock: ExperimentLock): ExperimentRecord[] {
  return readRecords(experimentDirectory(home, lock.id));
}

interface Failed {
  readonly record: AttemptRecord;
  readonly next: { readonly key: AttemptRecord['key']; readonly epoch: number; readonly judgement: number };
}

function failedOnes(lock: ExperimentLock, records: readonly ExperimentRecord[], attempt: string | null): Failed[] {
  const wanted = attempt === null ? null : findAttempts(lock, records, [], attempt, false);
  const among = (record: AttemptRecord): boolean =>
    wanted === null ||
    (wanted.attempts.some(({ key }) => key === record.key) && (wanted.epoch === null || wanted.epoch === record.epoch));
  const found = canonicalAttempts(records).records.filter(among);
  const failed = found.filter(isJudgeFailure);
  const [first] = found;
  if (attempt !== null && failed.length === 0 && first !== undefined) {
    throw new AnnealError(
      'ANL-1011',
      {
        experiment: `${first.task} (${first.key.slice(0, 12)})`,
        state: outcomeText(first.outcome),
        action: 'judged again',
      },
      { why: 'only where the judge failed is judged again', next: `anneal show ${first.key.slice(0, 12)}` },
    );
  }
  return failed.map((record) => {
    const { key, epoch } = record;
    const earlier = records.filter((other) => other.kind === 'judgement' && other.key === key && other.epoch === epoch);
    return { record, next: { key, epoch, judgement: 2 + earlier.length } };
  });
}

/** Until the experiment is closed, selection and final attempts are counts. */
function show(
  context: CommandContext,
  home: DataHome,
  lock: ExperimentLock,
  failed: readonly Failed[],
  json: boolean,
): void {
  const records = readAll(home, lock);
  const now = canonicalAttempts(records).records;
  const { state, held } = progressOf(records);
  const sealed = state === 'open';
  const after = failed.flatMap(
    ({ next }) => now.find(({ key, epoch }) => key === next.key && epoch === next.epoch) ?? [],
  );
  const scored = after.filter(({ outcome }) => rewardOf(outcome) !== null).length;
  const open = after.filter(({ split }) => !sealed || split === 'feedback');
  if (json) {
    const attempts = open.map(({ key, epoch, task, split, outcome }) => ({ key, epoch, task, split, outcome }));
    context.printJson({
      version: 1,
      experiment: lock.id,
      judged: after.length,
      scored,
      failed: after.length - scored,
      attempts,
    });
    return;
  }
  for (const { key, epoch, task, outcome } of open) {
    context.terminal.print(` ${key.slice(0, 12)}#${epoch}  ${task}  ${outcomeText(outcome)}`);
  }
  context.terminal.print(
    failed.length === 0
      ? `no judge of ${lock.id} failed: there is nothing to judge again`
      : `${countText(after.length, 'attempt')} judged again: ${scored} scored, ${after.length - scored} failed again`,
  );
  context.labels(lock);
  const waits = held.find(({ figures }) => figures['hold'] === 'coverage');
  context.next((waits && holdOf(lock, waits, records)?.error.next) ?? `anneal report ${lock.id}`);
}
