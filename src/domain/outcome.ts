import type { LeaseUsage } from '../schema/lease.ts';
import type { AgentErrorCause, InfrastructurePhase, Outcome, RunClass } from '../schema/outcome.ts';
import type { Reward } from '../schema/units.ts';
import { assertNever } from './assert-never.ts';
import { printableSignature } from './printable-signature.ts';

/** How the keeper saw the harness jail end. */
export type KeeperEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'wall_limit' }
  /** The gateway was away up to the end; no jail can bring that about. */
  | { readonly kind: 'gateway_lost' }
  | { readonly kind: 'out_of_memory' }
  | { readonly kind: 'output_limit' }
  /** The keeper could not start the jail. */
  | { readonly kind: 'start_failed'; readonly reason: string }
  /** The keeper or its host is gone, and with it the run. */
  | { readonly kind: 'lost'; readonly reason: string };

/** What the run wrote about itself. Untrusted: it may make the class worse, never better than the evidence and never infrastructure. */
export interface ReportedEnd {
  readonly exitStatus: string;
  /** Where an exception came from; null where the run told of none. */
  readonly exceptionSignature: string | null;
}

/** All that may decide a run's class, told apart by who wrote it: only `reported` comes from inside a jail. */
export interface RunEvidence {
  readonly usage: LeaseUsage;
  readonly keeper: KeeperEnd;
  /** null when `outcome.json` is missing or unreadable. */
  readonly reported: ReportedEnd | null;
  /** Who cancelled it, null for nobody. */
  readonly cancelledBy: string | null;
}

/**
 * The class of a run, from the run alone and before its reward is known. Order: cancellation; a jail that never
 * was or is lost; the attempt's own limits; a jail that died of itself (the trusted runner exits with 0 whatever
 * happens, also when the provider is away); a last call that the gateway left without an answer; a request that was
 * refused for its own sake; the wall limit; and only for a clean exit, what the run says of itself.
 *
 * Infrastructure rests on the gateway's evidence alone: a call that was asked, waited for and given up, with none answered
 * after it. A fault that a retry mended, or that the run did not wait out, is none. What the run writes can only take that
 * away: one that went on to its own end (a submission, a crash, no word at all) is scored for what it left.
 */
export function classifyRun(evidence: RunEvidence): RunClass {
  const { usage, keeper, reported, cancelledBy } = evidence;
  if (cancelledBy !== null) return { kind: 'cancelled', by: cancelledBy };
  if (keeper.kind === 'start_failed') return infrastructure('keeper', keeper.reason);
  if (keeper.kind === 'lost') return infrastructure('host', keeper.reason);
  if (keeper.kind === 'gateway_lost') return infrastructure('gateway', 'not reachable');
  if (usage.limitHit === 'calls') return agentError('call_limit', `${usage.calls} calls`);
  if (usage.limitHit === 'tokens') return agentError('token_limit', `${usage.tokensCharged} tokens`);
  if (keeper.kind === 'out_of_memory') return agentError('out_of_memory', '');
  if (keeper.kind === 'output_limit') return agentError('output_limit', '');
  if (keeper.kind === 'signalled') return agentError('crash', keeper.signal);
  if (keeper.kind === 'exited' && keeper.code !== 0) return agentError('crash', crashSignature(keeper.code, reported));
  if (usage.limitHit === 'budget') return { kind: 'cancelled', by: 'budget' };
  const unserved = usage.unserved ?? null;
  if (unserved !== null && !endedByItself(keeper, reported)) return infrastructure(phaseOf(unserved), unserved);
  if (usage.lastFault?.fault === 'agent') return agentError(causeOfFault(usage.lastFault.code), usage.lastFault.code);
  return keeper.kind === 'wall_limit' ? agentError('wall_limit', '') : classifyCleanExit(reported);
}

/** Whether the run went on after the last call; the trusted runner's own word for one that could not is the only other. */
function endedByItself(keeper: KeeperEnd, reported: ReportedEnd | null): boolean {
  if (keeper.kind !== 'exited') return false;
  return reported?.exitStatus !== 'ProviderUnavailable' || reported.exceptionSignature !== null;
}

/** Whose fault it is that a call was not served, by the gateway's code for it. */
function phaseOf(unserved: string): InfrastructurePhase {
  return unserved.startsWith('gateway_') ? 'gateway' : 'provider';
}

function crashSignature(code: number, reported: ReportedEnd | null): string {
  return reported?.exceptionSignature ?? `exit ${code}`;
}

function classifyCleanExit(reported: ReportedEnd | null): RunClass {
  if (reported === null) return agentError('no_submission', 'no outcome file');
  const { exitStatus, exceptionSignature } = reported;
  if (exceptionSignature !== null) return agentError('crash', exceptionSignature);
  return exitStatus === 'Submitted' ? { kind: 'ended' } : agentError(causeOfStatus(exitStatus), exitStatus);
}

/** mini-swe-agent's exit statuses; the name of an exception class is a crash. */
function causeOfStatus(exitStatus: string): AgentErrorCause {
  switch (exitStatus) {
    case 'CallBudgetExceeded':
    case 'LimitsExceeded':
      return 'call_limit';
    case 'TokenBudgetExceeded':
      return 'token_limit';
    case 'TimeExceeded':
      return 'wall_limit';
    case 'RepeatedFormatError':
    case '':
      return 'no_submission';
    default:
      return 'crash';
  }
}

function causeOfFault(code: string): AgentErrorCause {
  return code === 'context_overflow' || code === 'refusal' ? code : 'invalid_request';
}

function agentError(cause: AgentErrorCause, signature: string): RunClass {
  return { kind: 'agent_error', cause, signature: printableSignature(signature) };
}

function infrastructure(phase: InfrastructurePhase, reason: string): RunClass {
  return { kind: 'infrastructure', phase, reason: printableSignature(reason) };
}

/** How judging ended. An output that kills the judge twice while the reference passes is `judged` as corrupt. */
export type JudgeEnd =
  | { readonly kind: 'judged'; readonly reward: Reward }
  | { readonly kind: 'failed'; readonly reason: string };

/** The run's class joined with its judgement. A failed judge leaves the run unscored in phase `judge`, to be rejudged. */
export function joinJudgement(run: RunClass, judge: JudgeEnd): Outcome {
  if (run.kind === 'infrastructure') return { kind: 'unscored_infra', phase: run.phase, reason: run.reason };
  if (run.kind === 'cancelled') return run;
  if (judge.kind === 'failed')
    return { kind: 'unscored_infra', phase: 'judge', reason: printableSignature(judge.reason) };
  if (!Number.isFinite(judge.reward)) return { kind: 'unscored_infra', phase: 'judge', reason: 'reward is no number' };
  switch (run.kind) {
    case 'ended':
      return { kind: 'scored', reward: judge.reward };
    case 'agent_error':
      return { kind: 'scored_with_agent_error', reward: judge.reward, cause: run.cause, signature: run.signature };
    default:
      return assertNever(run);
  }
}

/** The reward of an attempt that has one, agent errors included; null without a score. */
export function rewardOf(outcome: Outcome): Reward | null {
  switch (outcome.kind) {
    case 'scored':
    case 'scored_with_agent_error':
      return outcome.reward;
    case 'unscored_infra':
    case 'cancelled':
      return null;
    default:
      return assertNever(outcome);
  }
}
