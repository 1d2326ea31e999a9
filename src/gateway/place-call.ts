import type { CallClaim, CallStanding } from '../contract/ledger-port.ts';
import { outcomeOf, refuse, settled } from './call-outcome.ts';
import type { CallOutcome, PendingCall } from './call-outcome.ts';
import { createDeltaFeed } from './delta-feed.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { LeaseSession } from './lease-session.ts';
import { promptBound, promptTexts, requestHashOf } from './pinned-request.ts';
import { pinRequest, type RequestDraft } from '../domain/pin-request.ts';
import { unavailable } from './request-attempt.ts';
import { spendCall } from './spend-call.ts';

/** A request as its client numbered it; `call` counts from 1 within the epoch. */
export interface NumberedCall {
  readonly call: number;
  readonly draft: RequestDraft;
  readonly stream: boolean;
}

/** Finds an earlier epoch's call of this number and request that is still under way. */
export type EarlierInFlight = (claim: CallClaim) => Promise<CallOutcome> | null;

/**
 * Answers a numbered call from the record, joins it where it is under way, or sends it. Once sent it goes on to its end
 * and into the record whether or not the client stays.
 */
export async function placeCall(
  dependencies: GatewayDependencies,
  session: LeaseSession,
  { call, draft, stream }: NumberedCall,
  earlierInFlight: EarlierInFlight,
): Promise<PendingCall> {
  const { ledger } = dependencies;
  const { experimentId, role, attemptKey, epoch, seed } = session.state;
  const binding = ledger.experiment(experimentId).models[role];
  if (binding === undefined) return settled(unavailable('no_model_for_role'));
  const request = pinRequest(draft, binding, seed);
  const claim: CallClaim = { attemptKey, epoch, call, requestHash: requestHashOf(request) };

  if (session.inFlight !== null) {
    if (session.inFlight.call !== call) return settled(inFlight(session.inFlight.call));
    if (session.inFlight.requestHash !== claim.requestHash) return settled(conflict(call));
    return { outcome: session.inFlight.outcome, deltas: null };
  }
  session.unserved = null;
  const standing = ledger.standing(claim);
  if (standing.kind !== 'open') return settled(outcomeOfStanding(standing, call));

  if (session.noRetry.signal.aborted)
    return settled(noteUnserved(dependencies, session, claim, unavailable('gateway_stopping')));

  const feed = stream ? createDeltaFeed() : null;
  const spend = async (): Promise<CallOutcome> => {
    const earlier = epoch === 1 ? null : earlierInFlight(claim);
    if (earlier !== null) {
      await earlier;
      const now = ledger.standing(claim);
      if (now.kind !== 'open') return outcomeOfStanding(now, call);
    }
    const counted = await dependencies.counter.count(promptTexts(request));
    const promptTokens = promptBound(request, binding.wire, counted);
    return spendCall(dependencies, { session, claim, binding, request, promptTokens, feed });
  };
  const outcome = spend()
    .catch((error: unknown) => {
      dependencies.log.error({ attempt: attemptKey, epoch, call, error: String(error) }, 'call-failed');
      return unavailable('gateway_error');
    })
    .then((ended) => noteUnserved(dependencies, session, claim, ended))
    .finally(() => {
      session.inFlight = null;
      feed?.end();
    });
  session.inFlight = { call, requestHash: claim.requestHash, outcome };
  return { outcome, deltas: feed };
}

/** Evidence of the gateway's own, so that nobody has to believe the client when it says that it was not served. */
function noteUnserved(
  { ledger, log }: GatewayDependencies,
  session: LeaseSession,
  claim: CallClaim,
  outcome: CallOutcome,
): CallOutcome {
  if (outcome.kind !== 'refused' || outcome.type !== 'provider_unavailable') return outcome;
  try {
    session.unserved = outcome.code;
    ledger.noteUnserved(claim, outcome.code);
  } catch (error) {
    log.error({ attempt: claim.attemptKey, epoch: claim.epoch, call: claim.call, error: String(error) }, 'not-noted');
  }
  return outcome;
}

/** The refusal of another call while this one is not answered yet. */
export function inFlight(call: number): CallOutcome {
  return refuse('call_conflict', 'call_in_flight', `call ${call} is still under way; one at a time`);
}

function conflict(call: number): CallOutcome {
  return refuse('call_conflict', 'call_conflict', `call ${call} was made before with another request`);
}

function outcomeOfStanding(standing: Exclude<CallStanding, { kind: 'open' }>, call: number): CallOutcome {
  switch (standing.kind) {
    case 'recorded':
      return outcomeOf(standing.answer);
    case 'conflict':
      return conflict(call);
    case 'gap':
      return refuse('call_conflict', 'call_gap', `call ${call} came where ${standing.expected} is next`);
    case 'limit':
      return standing.limit === 'calls'
        ? refuse('call_limit', 'call_limit', `model calls: ${standing.used} used, ${standing.allowed} allowed`)
        : refuse('token_limit', 'token_limit', `tokens: ${standing.used} used, ${standing.allowed} allowed`);
    case 'fenced':
      return refuse('fenced', 'fenced', `epoch ${standing.currentEpoch} has taken over, or the lease is closed`);
  }
}
