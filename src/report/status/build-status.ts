import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { isSimulated, worldOf } from '../../schema/experiment-lock.ts';
import type { CapUsage, ExperimentUsage, OpenLease } from '../../schema/gateway.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { RoleTokens, TokenCount } from '../../schema/report.ts';
import { armStatuses } from './arm-status.ts';
import { canonicalAttempts, type CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import { holdsOf } from './holds.ts';
import { labelsOf } from '../layout/labels.ts';
import { pricedModels } from '../numbers/money.ts';
import { progressOf, type Progress } from './progress.ts';
import { revisionsOf } from '../revisions.ts';
import { needsOf, nextOf } from './status-needs.ts';
import { statusPasses, sumCounts } from './status-passes.ts';
import type { LiveView, ServiceView, Status, StatusMoney, StatusPass } from './status.ts';
import { tokenTotals } from '../numbers/token-totals.ts';

/** What a status is read from: records first, and what the processes say where they answer. */
export interface StatusSources {
  readonly lock: ExperimentLock;
  readonly records: readonly ExperimentRecord[];
  /** null when the workflow cannot be asked. */
  readonly live: LiveView | null;
  /** null when the gateway cannot be asked. */
  readonly usage: ExperimentUsage | null;
  readonly leases: readonly OpenLease[];
  /** Empty when unknown. */
  readonly services: readonly ServiceView[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What is running, what it used, what needs a person, the next command. */
export function buildStatus({ lock, records, live, usage, leases, services, now }: StatusSources): Status {
  const progress = progressOf(records);
  const attempts = canonicalAttempts(records);
  const revisions = revisionsOf(lock, records);
  const totals = tokenTotals(records);
  const passes = statusPasses(lock, records, attempts, revisions);
  const holds = holdsOf(lock, records, progress, usage);
  const state = stateOf(progress, live, holds.length > 0);
  const lanes = live?.lanes ?? lock.operational.lanes;
  const needs = needsOf({ id: lock.id, state, trouble: live?.trouble ?? null, holds, services, passes });
  return {
    version: 1,
    experiment: lock.id,
    name: lock.identity.name,
    createdAt: lock.createdAt,
    simulated: isSimulated(lock.identity),
    world: worldOf(lock.identity),
    labels: labelsOf(lock),
    phase: progress.phase,
    state,
    arm: state === 'running' || state === 'paused' ? (live?.arm ?? null) : null,
    lanes,
    counts: sumCounts(passes),
    passes,
    inFlight: leases.map(({ attemptKey, epoch, role, arm, usage: used, limits }) => ({
      attempt: attemptKey,
      epoch,
      role,
      arm,
      calls: used.calls,
      callLimit: limits.calls,
      retries: used.retries,
      replayed: used.replayed,
      tokensReported: used.tokensReported,
      tokens: used.tokensCharged + used.tokensInherited,
      tokenLimit: limits.tokens,
      waitedMs: used.waitedMs,
      lastFault: used.lastFault?.code ?? null,
    })),
    budgets: armStatuses({ lock, records, progress, revisions, totals, usage, now }),
    tokens: usage === null ? sumRecorded(totals) : sumLive(usage),
    money: usage === null ? null : moneySoFar(lock, usage),
    caps: usage === null ? [] : usage.caps.map((cap) => capInPhase(cap, progress)),
    etaMs: state === 'running' ? etaOf(progress, passes, attempts, lanes) : null,
    holds: holds.map(({ kind, error, since, until }) => ({
      kind,
      code: error.code,
      reason: error.why ?? error.message,
      since,
      until,
    })),
    needs,
    next: nextOf(lock.id, state, needs),
  };
}

function stateOf(progress: Progress, live: LiveView | null, isHeld: boolean): Status['state'] {
  if (progress.state !== 'open') return progress.state;
  if (live === null) return 'stopped';
  switch (live.run) {
    case 'running':
      return live.paused || isHeld ? 'paused' : 'running';
    case 'failed':
      return 'failed';
    case 'completed':
    case 'cancelled':
      return 'stopped';
  }
}

/** Remaining attempts of the pass under way × their mean wall time ÷ lanes; needs three attempts to speak. */
function etaOf(
  { phase }: Progress,
  passes: readonly StatusPass[],
  attempts: CanonicalAttempts,
  lanes: number,
): number | null {
  if (phase !== 'baseline' && phase !== 'final') return null;
  const pass = passes.find(({ split }) => split === (phase === 'final' ? 'final' : 'selection'));
  const times = attempts.all.map(({ wallMs }) => wallMs);
  if (pass === undefined || times.length < 3) return null;
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const remaining = pass.planned - pass.scored - pass.infra - pass.cancelled;
  return remaining === 0 ? null : Math.round((remaining * mean) / lanes);
}

function sumLive(usage: ExperimentUsage): RoleTokens {
  const sum = (role: string): TokenCount => {
    const rows = usage.roles.filter((row) => row.role === role);
    return {
      reported: rows.reduce((total, { reported }) => total + reported, 0),
      charged: rows.reduce((total, { charged }) => total + charged, 0),
    };
  };
  return { solver: sum('solver'), updater: sum('updater'), judge: sum('judge') };
}

function sumRecorded(totals: ReturnType<typeof tokenTotals>): RoleTokens {
  const of = (role: string): TokenCount => {
    const total = totals.byRole?.find((row) => row.role === role);
    return { reported: total?.reported ?? null, charged: total?.charged ?? null };
  };
  return { solver: of('solver'), updater: of('updater'), judge: of('judge') };
}

function moneySoFar(lock: ExperimentLock, usage: ExperimentUsage): StatusMoney {
  return {
    microUsd: usage.roles.reduce((sum, { microUsd }) => sum + microUsd, 0),
    unpricedCalls: usage.roles.reduce((sum, { unpricedRows }) => sum + unpricedRows, 0),
    free: pricedModels(lock).every(({ price }) => price.kind === 'free'),
  };
}

/** The final test spends what was held for it, and for a closed experiment nothing is held any more. */
function capInPhase(cap: CapUsage, { phase, state }: Progress): CapUsage {
  if (state === 'open' && phase !== 'final' && phase !== 'report') return cap;
  return { ...cap, held: 0, left: Math.max(0, cap.limit - cap.used - cap.reserved) };
}
