import { ApplicationFailure } from '@temporalio/common';
import type { Activities } from '../src/contract/activities.ts';
import { isAnnealError } from '../src/domain/errors.ts';

/** Longest message that travels into a history. */
const longest = 1_000;

/** Turn errors of the one table into typed failures: what a retry cannot mend ends the activity, the rest is tried again. */
export function typedFailures(activities: Activities): Activities {
  return Object.fromEntries(
    Object.entries(activities).map(([name, run]) => [
      name,
      async (input: never): Promise<unknown> => {
        try {
          return await (run as (input: never) => Promise<unknown>)(input);
        } catch (error) {
          if (!isAnnealError(error)) throw error;
          throw ApplicationFailure.create({
            type: error.code,
            message: `${error.code} ${error.message}${error.why === null ? '' : `: ${error.why}`}`.slice(0, longest),
            nonRetryable: !error.retryable,
            details: [{ ...error }],
          });
        }
      },
    ]),
  ) as unknown as Activities;
}
