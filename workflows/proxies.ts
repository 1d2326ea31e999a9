import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../src/contract/activities.ts';

const second = 1_000;
const minute = 60 * second;

/** As long as it takes: what cannot be mended is thrown as such, and the rest is told to a person. */
const retry = { initialInterval: second, backoffCoefficient: 2, maximumInterval: 10 * second };

/**
 * A cancelled effect is awaited: sandboxes are stopped, leases closed and records written before the workflow goes on. Said
 * for every effect: left out it means the opposite, whatever the SDK documents.
 */
const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

/** Sub-second effects. One that a cancellation finds under way ends; whoever needs its result asks beyond the cancellation. */
export const short = proxyActivities<
  Pick<
    Activities,
    | 'forecastPass'
    | 'holdShare'
    | 'collectFeedback'
    | 'derive'
    | 'commitCandidate'
    | 'reserveQuery'
    | 'discloseQuery'
    | 'freezeChampions'
    | 'recordDecision'
    | 'checkPass'
  >
>({ startToCloseTimeout: minute, cancellationType, retry });

/** Effects that may take minutes and say so every two seconds. */
export const long = proxyActivities<
  Pick<Activities, 'prepareExperiment' | 'writeReport' | 'refreshReport' | 'closeExperiment' | 'callModel'>
>({
  startToCloseTimeout: 60 * minute,
  heartbeatTimeout: 10 * second,
  cancellationType,
  retry,
});

/** The wait for a model that is halted: as long as it takes. */
export const waiting = proxyActivities<Pick<Activities, 'untilServed'>>({
  startToCloseTimeout: 365 * 24 * 60 * minute,
  heartbeatTimeout: 10 * second,
  cancellationType,
  retry,
});

/** The supervision of one attempt: its wall limit, waits for providers and room for teardown. */
export function attemptProxy(wallMs: number): Pick<Activities, 'performAttempt'> {
  return proxyActivities<Pick<Activities, 'performAttempt'>>({
    startToCloseTimeout: wallMs + 120 * minute,
    heartbeatTimeout: 10 * second,
    cancellationType,
    retry,
  });
}

/** Judging again: what no retry mends is told to whoever asked. */
export const judgingProxy = proxyActivities<Pick<Activities, 'rejudgeAttempt'>>({
  startToCloseTimeout: 120 * minute,
  heartbeatTimeout: 10 * second,
  cancellationType,
  retry,
});
