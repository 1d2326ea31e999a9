import type { LeaseState } from '../contract/ledger-port.ts';
import type { Sha256 } from '../schema/ids.ts';
import type { CallOutcome } from './call-outcome.ts';

/** The one call that an epoch may have under way. */
interface CallInFlight {
  readonly call: number;
  readonly requestHash: Sha256;
  readonly outcome: Promise<CallOutcome>;
}

/** What the gateway keeps in memory of one epoch; all that must last stands in the ledger. */
export interface LeaseSession {
  readonly state: LeaseState;
  inFlight: CallInFlight | null;
  /** Aborted when this epoch may no longer wait: nothing is retried, the request in flight is given up. */
  readonly over: AbortController;
  /** Aborted when no further request may be sent for this epoch; the one in flight may end. */
  readonly noRetry: AbortController;
  /** Start of the back-off under way, in epoch ms. */
  waitingSince: number | null;
  /** Code of the last call where that was left without an answer: the ledger's note, for when its disk is full. */
  unserved: string | null;
  /** Requests of this epoch are read one after the other. */
  readonly turn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Monotonic ms before which the next request is not read: an epoch that only makes work waits for what it cost. */
  notBefore: number;
}

/** An epoch as it is when its front begins to listen. */
export function createLeaseSession(state: LeaseState): LeaseSession {
  let last: Promise<unknown> = Promise.resolve();
  return {
    state,
    inFlight: null,
    over: new AbortController(),
    noRetry: new AbortController(),
    waitingSince: null,
    unserved: null,
    notBefore: 0,
    turn: (work) => {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
  };
}
