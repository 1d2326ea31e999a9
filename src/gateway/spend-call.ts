import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOutcome } from './call-outcome.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { halt, requestAttempt, unavailable } from './request-attempt.ts';
import type { SpendOrder } from './request-attempt.ts';
import { haltWhenLasting } from './halt-decision.ts';
import { retryWait } from './retry-wait.ts';

/**
 * Sends a call, again after faults that time can mend, at most `maxRetries` times: the only retry layer below the
 * client. Ends early where nobody may wait, or where pieces of a broken stream already reached the client.
 */
export async function spendCall(dependencies: GatewayDependencies, order: SpendOrder): Promise<CallOutcome> {
  const { policy, random, health, clock } = dependencies;
  const { session, feed } = order;
  for (let retry = 1; ; retry += 1) {
    const end = await requestAttempt(dependencies, order);
    if (end.kind === 'done') return end.outcome;
    const { fault } = end;
    if (session.noRetry.signal.aborted || feed?.begun() === true) return unavailable(fault.code);
    if (retry > policy.maxRetries) {
      const { experimentId, role } = session.state;
      const lasting = haltWhenLasting(fault, health.failingMs(experimentId, role), policy, clock());
      if (lasting !== null) halt(dependencies, session, lasting);
      return unavailable(fault.code);
    }
    await waitFor(dependencies, order, retryWait(policy, retry, end.retryAfterMs, random()));
    if (session.noRetry.signal.aborted) return unavailable(fault.code);
  }
}

/** The wait is booked with the lease, so that its attempt can be given the time back. */
async function waitFor(
  { ledger, clock }: GatewayDependencies,
  { session }: SpendOrder,
  milliseconds: number,
): Promise<void> {
  const started = clock();
  session.waitingSince = started;
  await sleep(milliseconds, undefined, { signal: session.noRetry.signal }).catch(() => {});
  session.waitingSince = null;
  ledger.addWaited(session.state, Math.max(0, clock() - started));
}
