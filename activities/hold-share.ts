import type { Activities, SearchAllowance } from '../src/contract/activities.ts';
import { attemptDraws, figuresOf, tokensPerCall } from '../src/domain/attempt-draws.ts';
import { divideCap } from '../src/domain/divide-cap.ts';
import { drawOf } from '../src/domain/likely-total.ts';
import type { Draw } from '../src/schema/draw.ts';
import { outputShare } from '../src/domain/output-share.ts';
import { costCeiling } from '../src/domain/price.ts';
import { shareAttempts } from '../src/domain/share-attempts.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { CapUsage, ExperimentUsage } from '../src/schema/gateway.ts';
import type { ExperimentRecord } from '../src/schema/record.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';

/** Hold back what the final test and arms to come need, as the attempts so far tell it; return what a search may spend. */
export function holdShare(
  { gateway, experiments }: ActivityDependencies,
  records: RecordStore,
): Activities['holdShare'] {
  return async ({ experimentId, laterArms }) => {
    const lock = await experiments.lock(experimentId);
    const { caps, roles } = await gateway.usage({ experimentId });
    if (caps.length === 0) return [];
    const all = await records.all(experimentId);
    const draws = attemptDraws(all);
    const tokens = drawOf(figuresOf(draws, 'tokens'));
    const allowances = caps.map((cap): SearchAllowance => {
      const perAttempt = cap.kind === 'money' ? drawOf(figuresOf(draws, 'microUsd')) : tokens;
      const { kind, limit } = cap;
      const used = cap.used + cap.reserved;
      const perCall = callCeiling(lock, kind, tokensPerCall(draws));
      const later = 'count' in laterArms ? laterArms : { amount: laterArms.amounts[kind] ?? 0 };
      const shares = divideCap({ limit, used, ...shareAttempts(lock), perAttempt, perCall, laterArms: later });
      const updaterPerAttempt = kind === 'money' ? updaterShare(lock, all, roles, tokens) : 0;
      return { kind, limit, used, ...shares, perAttempt, perCall, updaterPerAttempt };
    });
    const heldOf = (kind: CapUsage['kind']): number | null => {
      const allowance = allowances.find((each) => each.kind === kind);
      return allowance === undefined ? null : allowance.finals + allowance.laterArms;
    };
    await gateway.holdShare({ experimentId, solverTokens: heldOf('solver-tokens'), microUsd: heldOf('money') });
    return allowances;
  };
}

/** The most that a solver's call can draw whose prompt is twice the mean of those so far. */
function callCeiling({ identity, operational }: ExperimentLock, kind: CapUsage['kind'], perCall: number): number {
  const { maxOutputTokens } = identity.models.solver.sampling;
  const prompt = Math.ceil(2 * perCall);
  if (kind === 'solver-tokens') return prompt + maxOutputTokens;
  const price = operational.prices?.solver;
  return price === undefined ? 0 : (costCeiling(price, prompt, maxOutputTokens) ?? 0);
}

/**
 * Money that the updater took for each feedback attempt so far; before the first, as if it read and wrote about as much as
 * an attempt does.
 */
function updaterShare(
  { operational }: ExperimentLock,
  records: readonly ExperimentRecord[],
  roles: ExperimentUsage['roles'],
  attempt: Draw | null,
): number {
  const spent = roles.reduce((sum, { role, microUsd }) => sum + (role === 'updater' ? microUsd : 0), 0);
  const feedback = records.filter((record) => record.kind === 'attempt' && record.split === 'feedback').length;
  if (spent > 0 && feedback > 0) return Math.ceil(spent / feedback);
  const price = operational.prices?.updater;
  if (price === undefined || attempt === null) return 0;
  return costCeiling(price, Math.ceil(attempt.mean * (1 - outputShare)), Math.ceil(attempt.mean * outputShare)) ?? 0;
}
