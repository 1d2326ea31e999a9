import { setTimeout as sleep } from 'node:timers/promises';
import { assertNever } from '../domain/assert-never.ts';
import type { CallClaim, CallEnd, ReservationRequest, ReservationResult } from '../contract/ledger-port.ts';
import type { CallKey, RecordedAnswer } from '../schema/call-row.ts';
import { storageError } from '../domain/storage-error.ts';
import type { Halt } from '../schema/halt.ts';
import type { ModelBinding } from '../schema/model-binding.ts';
import type { ModelRequest, ProviderResult } from '../schema/model-call.ts';
import { refuse } from './call-outcome.ts';
import type { CallOutcome, Refusal } from './call-outcome.ts';
import type { DeltaFeed } from './delta-feed.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { haltAtOnce } from './halt-decision.ts';
import type { LeaseSession } from './lease-session.ts';
import { mayServe } from './may-serve.ts';

/** A call that is to be sent, as often as it takes. */
export interface SpendOrder {
  readonly session: LeaseSession;
  readonly claim: CallClaim;
  readonly binding: ModelBinding;
  readonly request: ModelRequest;
  readonly promptTokens: number;
  /** null = not streamed. */
  readonly feed: DeltaFeed | null;
}

type Fault = Exclude<ProviderResult, { kind: 'answered' }>;

/**
 * `again`: the provider failed in a way that may pass; whether it is asked again is the caller's to say. `retryAfterMs`
 * is null where it named no time.
 */
export type AttemptEnd =
  | { readonly kind: 'done'; readonly outcome: CallOutcome }
  | { readonly kind: 'again'; readonly fault: Fault; readonly retryAfterMs: number | null };

/** Reserves, sends once, settles. The row is durable before anything leaves, and its end before the client hears of it. */
export async function requestAttempt(dependencies: GatewayDependencies, order: SpendOrder): Promise<AttemptEnd> {
  const { ledger, providers, policy, clock } = dependencies;
  const { session, claim, binding, request, promptTokens, feed } = order;
  const provider = providers(binding, session.state.role);
  const { minOutputTokens } = policy;
  const { maxOutputTokens } = request.sampling;
  const streamed = feed !== null || binding.stream === true;
  const asked = { ...claim, promptTokens, maxOutputTokens, minOutputTokens, streamed };
  const reservation = await reserveInTurn(dependencies, session, asked);
  if (reservation.kind === 'halted' && reservation.halt.kind === 'price_unknown')
    halt(dependencies, session, reservation.halt);
  if (reservation.kind !== 'reserved') return { kind: 'done', outcome: refusalOf(reservation) };
  const { retryIndex, outputCap } = reservation;
  const sent = { ...request, sampling: { ...request.sampling, maxOutputTokens: outputCap } };
  const onDelta = feed === null ? {} : { onDelta: feed.push };
  const options = { stream: streamed, signal: session.over.signal, attempt: retryIndex, ...onDelta };
  const sentAt = clock();
  const result = weighClaim(await provider.call(sent, options).catch(providerFailed), request);
  const lostMs = result.kind !== 'answered' && result.fault === 'infrastructure' ? clock() - sentAt : 0;
  const key: CallKey = { attemptKey: claim.attemptKey, epoch: claim.epoch, call: claim.call, retryIndex };
  const wrongModel = result.kind === 'answered' && !mayServe(binding, result.response.servedModel);
  const end = endOf(result, binding, wrongModel);
  await durably(dependencies, session, () => {
    // Time that infrastructure took is a wait: it does not eat the attempt's wall time.
    if (lostMs > 0) ledger.addWaited({ attemptKey: claim.attemptKey, epoch: claim.epoch }, lostMs);
    return ledger.settle(key, end);
  });
  return conclude(dependencies, order, result, wrongModel);
}

/**
 * Reserves; where only what neighbours have in flight stands against it, asks again until they are settled. The wait is
 * the engine's, so the attempt is given it back.
 */
async function reserveInTurn(
  dependencies: GatewayDependencies,
  session: LeaseSession,
  asked: ReservationRequest,
): Promise<ReservationResult> {
  const { ledger, policy, clock } = dependencies;
  const started = clock();
  while (true) {
    const reservation = await ledger.shared(() => ledger.reserve(asked));
    const waits = reservation.kind === 'refused' && reservation.waits && !session.noRetry.signal.aborted;
    if (!waits) {
      if (session.waitingSince !== null) giveBack(dependencies, session, Math.max(0, clock() - started));
      return reservation;
    }
    session.waitingSince ??= started;
    await sleep(policy.turnMs, undefined, { signal: session.noRetry.signal }).catch(() => {});
  }
}

/** A wait that cannot be written, as on a full disk, must not keep a reserved call from being sent and settled. */
function giveBack({ ledger, log }: GatewayDependencies, session: LeaseSession, waitedMs: number): void {
  session.waitingSince = null;
  try {
    ledger.addWaited(session.state, waitedMs);
  } catch (error) {
    log.error({ waitedMs, error: String(error) }, 'waited-time-not-written');
  }
}

/** Writes what must not be lost, again while the disk refuses it: the client waits meanwhile, as for a provider. */
async function durably<Result>(
  { ledger, log, policy }: GatewayDependencies,
  { over }: LeaseSession,
  work: () => Result,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ledger.shared(work);
    } catch (error) {
      if (storageError(error) === null || tries > policy.diskTries || over.signal.aborted) throw error;
      log.error({ tries, error: String(error) }, 'ledger-not-written');
      await sleep(policy.diskPauseMs);
    }
  }
}

/** An adapter that throws has a fault of its own; what it sent, nobody knows. */
function providerFailed(error: unknown): ProviderResult {
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: 'unknown', fault: 'infrastructure', code: 'provider_failed', retryable: false, detail };
}

function conclude(
  dependencies: GatewayDependencies,
  order: SpendOrder,
  result: ProviderResult,
  wrongModel: boolean,
): AttemptEnd {
  const { state } = order.session;
  const { health } = dependencies;
  const at = { attempt: state.attemptKey, epoch: state.epoch, call: order.claim.call };
  switch (result.kind) {
    case 'answered': {
      health.served(state.experimentId, state.role);
      if (!wrongModel) return { kind: 'done', outcome: { kind: 'answered', response: result.response } };
      const reason = servedInstead(order.binding, result.response.servedModel);
      halt(dependencies, order.session, { kind: 'served_model_changed', reason, setting: null, until: null });
      return { kind: 'done', outcome: unavailable('served_model_changed') };
    }
    case 'rejected': {
      dependencies.log.warn({ ...at, code: result.code, detail: result.detail }, 'request-rejected');
      if (result.fault === 'agent') {
        health.served(state.experimentId, state.role);
        return { kind: 'done', outcome: refuse(faultType(result.code), faultType(result.code), result.detail) };
      }
      return failed(dependencies, order.session, result);
    }
    case 'unknown':
      dependencies.log.warn({ ...at, code: result.code, detail: result.detail }, 'request-lost');
      return failed(dependencies, order.session, result);
  }
}

/** A fault of the provider: it halts the role, may be worth another try, or ends the call. */
function failed(dependencies: GatewayDependencies, session: LeaseSession, fault: Fault): AttemptEnd {
  const { health, policy, clock } = dependencies;
  const { experimentId, role } = session.state;
  if (fault.code !== 'aborted') health.failed(experimentId, role);
  const halted = haltAtOnce(fault, policy, clock());
  if (halted !== null) halt(dependencies, session, halted);
  if (halted !== null || !fault.retryable) return { kind: 'done', outcome: unavailable(fault.code) };
  return { kind: 'again', fault, retryAfterMs: fault.kind === 'rejected' ? fault.retryAfterMs : null };
}

/** From now on nothing is sent for the role. */
export function halt(
  { ledger, log, clock }: GatewayDependencies,
  { state }: LeaseSession,
  decided: Omit<Halt, 'role' | 'since'>,
): void {
  const { experimentId, role } = state;
  ledger.haltRole(experimentId, { ...decided, role, since: clock() });
  log.error({ experiment: experimentId, role, ...decided }, 'role-halted');
}

/**
 * A refusal that lays itself on key, credit or a pinned setting is the experiment's, not the agent's; unless the piece that
 * says so stands in what the agent wrote, and may be its echo.
 */
function weighClaim(result: ProviderResult, { messages, tools }: ModelRequest): ProviderResult {
  if (result.kind !== 'rejected' || result.claim === undefined) return result;
  const { kind, phrase } = result.claim;
  if (phrase !== null && JSON.stringify([messages, tools]).toLowerCase().includes(JSON.stringify(phrase).slice(1, -1)))
    return result;
  return { ...result, fault: 'infrastructure', code: kind, retryable: false };
}

function endOf(result: ProviderResult, binding: ModelBinding, wrongModel: boolean): CallEnd {
  switch (result.kind) {
    case 'answered': {
      const { usage, servedModel } = result.response;
      const fault = wrongModel ? { code: 'served_model_changed', detail: servedInstead(binding, servedModel) } : null;
      const answer: RecordedAnswer | null = wrongModel ? null : { kind: 'answered', response: result.response };
      return { kind: 'answered', usage, servedModel, answer, fault };
    }
    case 'rejected': {
      const { fault, code, detail } = result;
      const answer: RecordedAnswer | null =
        fault === 'agent' ? { kind: 'fault', type: faultType(code), message: detail } : null;
      return { kind: 'rejected', fault, code, detail, answer };
    }
    case 'unknown':
      return {
        kind: 'unknown',
        fault: result.code === 'aborted' ? null : 'infrastructure',
        code: result.code,
        detail: result.detail,
      };
  }
}

/** The refusal of a call that no provider answered; the same number may be asked again. */
export function unavailable(code: string): Refusal {
  return refuse('provider_unavailable', code, 'the model cannot be reached now; ask again with the same call number');
}

function refusalOf(
  refused: Exclude<ReturnType<GatewayDependencies['ledger']['reserve']>, { kind: 'reserved' }>,
): Refusal {
  switch (refused.kind) {
    case 'fenced':
      return refuse('fenced', 'fenced', `epoch ${refused.currentEpoch} has taken over, or the lease is closed`);
    case 'closed':
      return refuse('fenced', 'experiment_closed', 'the experiment is closed: nothing more is sent for it');
    case 'halted':
      return unavailable('halted');
    case 'refused': {
      // It stopped waiting for neighbours because nothing is sent any more.
      if (refused.waits) return unavailable('gateway_stopping');
      const figures = `${refused.used} used, ${refused.needed} more needed, ${refused.allowed} allowed`;
      switch (refused.limit) {
        case 'calls':
          return refuse('call_limit', 'call_limit', `model calls: ${figures}`);
        case 'tokens':
          return refuse('token_limit', 'token_limit', `tokens: ${figures}`);
        case 'budget':
          return refuse('budget_refused', 'budget_refused', 'the budget of this arm is used up');
        case 'solver-tokens':
          return refuse('budget_refused', 'solver_tokens_capped', 'the cap on solver tokens leaves no room for it');
        case 'money':
          return refuse('budget_refused', 'money_capped', 'the cap on money leaves no room for it');
        default:
          return assertNever(refused.limit);
      }
    }
  }
}

function servedInstead(binding: ModelBinding, served: string): string {
  return `${binding.baseUrl ?? binding.provider} serves ${served}, not ${binding.model}`;
}

function faultType(code: string): 'context_overflow' | 'invalid_request' | 'refusal' {
  return code === 'context_overflow' || code === 'refusal' ? code : 'invalid_request';
}
