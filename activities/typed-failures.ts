import { ApplicationFailure } from '@temporalio/common';
import type { Activities } from '../src/contract/activities.ts';
import { isAnnealError, type ErrorCode } from '../src/domain/errors.ts';
import { storageError } from '../src/domain/storage-error.ts';

/** Longest message that travels into a history. */
const longest = 1_000;

/** What neither time nor a person mends: the experiment's workflow fails. */
const fatal: ReadonlySet<ErrorCode> = new Set(['ANL-6004', 'ANL-6006', 'ANL-6007', 'ANL-6009', 'ANL-6010']);

/** Effects that a command waits for: whoever gave it is told at once. */
const asked: ReadonlySet<string> = new Set<keyof Activities>(['rejudgeAttempt', 'refreshReport', 'closeExperiment']);

/**
 * Turn errors of the one table into typed failures. What a person can mend, a changed task or a full disk for example, is
 * tried again until it is mended and told under "needs you" meanwhile: nothing that was paid for is lost to it.
 */
export function typedFailures(activities: Activities): Activities {
  return Object.fromEntries(
    Object.entries(activities).map(([name, run]) => [
      name,
      async (input: never): Promise<unknown> => {
        try {
          return await (run as (input: never) => Promise<unknown>)(input);
        } catch (thrown) {
          const error = isAnnealError(thrown) ? thrown : storageError(thrown);
          if (error === null) throw thrown;
          throw ApplicationFailure.create({
            type: error.code,
            message: `${error.code} ${error.message}${error.why === null ? '' : `: ${error.why}`}`.slice(0, longest),
            nonRetryable: asked.has(name) ? !error.retryable : fatal.has(error.code),
            details: [{ ...error }],
          });
        }
      },
    ]),
  ) as unknown as Activities;
}
