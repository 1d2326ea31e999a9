import { z } from 'zod';
import type { LeaseState, LedgerPort, ReservationRequest, ReservationResult } from '../../contract/ledger-port.ts';
import { upperBound } from '../../domain/upper-bound.ts';
import { costCeiling } from '../../domain/price.ts';
import type { CapUsage, EpochReference } from '../../schema/gateway.ts';
import type { Halt } from '../../schema/halt.ts';
import type { ExperimentId } from '../../schema/ids.ts';
import type { Role } from '../../schema/lease.ts';
import type { ModelPrice } from '../../schema/prices.ts';
import type { Balances } from './balances.ts';
import { decideReservation, type CapFigures } from './decide-reservation.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';
import type { BookedPrices } from './prices.ts';
import { USED_IN_EPOCH } from './used-in-epoch.ts';

/** All that stands against one more request: who may act, what is left, whether its role is halted or its experiment closed. */
export interface ReserveDependencies {
  readonly database: LedgerDatabase;
  readonly clock: () => number;
  readonly leaseState: (reference: EpochReference) => LeaseState;
  readonly currentEpoch: (attemptKey: string) => number;
  readonly balances: Balances;
  readonly budgetLimit: LedgerPort['budgetLimit'];
  readonly haltOf: (experiment: string, role: string) => Halt | null;
  readonly isClosed: (experiment: string) => boolean;
  readonly caps: (experiment: string) => readonly CapUsage[];
  readonly prices: BookedPrices;
  readonly priceOf: (experiment: ExperimentId, role: Role) => ModelPrice;
}

const Figures = z.object({
  calls: z.number(),
  tokens: z.number(),
  retry: z.number(),
  budget_used: z.number(),
  limit_hit: z.string().nullable(),
});

const FIGURES = `
  SELECT used.calls, used.tokens,
    (SELECT coalesce(max(retry_index) + 1, 0) FROM call WHERE attempt_key = :key AND epoch = :epoch AND seq = :call) AS retry,
    coalesce((SELECT charged + reserved FROM balance WHERE experiment = :experiment AND arm = :arm AND role = :role), 0) AS budget_used,
    (SELECT limit_hit FROM lease WHERE attempt_key = :key AND epoch = :epoch) AS limit_hit
  FROM (${USED_IN_EPOCH}) used`;

/** Writes the row of a request attempt before it is sent, at its upper bound, or says which limit forbids it. */
export function createReserve(dependencies: ReserveDependencies): LedgerPort['reserve'] {
  const { database, clock, leaseState, currentEpoch, balances, budgetLimit, haltOf, isClosed } = dependencies;
  const { caps, prices, priceOf } = dependencies;
  const figures = database.prepare(FIGURES);
  const insert = database.prepare(
    `INSERT INTO call (attempt_key, epoch, seq, retry_index, role, request_hash, state, reserved, price,
       micro_usd_reserved, output_cap, streamed, reserved_at) VALUES (?, ?, ?, ?, ?, ?, 'reserved', ?, ?, ?, ?, ?, ?)`,
  );
  const noteLimit = database.prepare('UPDATE lease SET limit_hit = ? WHERE attempt_key = ? AND epoch = ?');

  const write = (request: ReservationRequest, lease: LeaseState): ReservationResult => {
    const { attemptKey, epoch, call, promptTokens, maxOutputTokens, minOutputTokens } = request;
    const { experimentId: experiment, arm, role, limits } = lease;
    const price = priceOf(experiment, role);
    const standing = caps(experiment);
    if (price.kind === 'unknown' && standing.some(({ kind }) => kind === 'money')) {
      const reason = `money is capped and the price of its model is not known: ${price.why}`;
      return {
        kind: 'halted',
        halt: { role, kind: 'price_unknown', reason, setting: null, since: clock(), until: null },
      };
    }
    const found = Figures.parse(figures.get({ key: attemptKey, epoch, call, experiment, arm, role }));
    const decision = decideReservation({
      promptTokens,
      maxOutputTokens,
      minOutputTokens,
      callsUsed: found.calls,
      callsLimit: limits.calls,
      tokensUsed: found.tokens,
      tokensLimit: limits.tokens,
      budgetUsed: found.budget_used,
      budgetLimit: budgetLimit(experiment, arm, role),
      caps: standing.flatMap((cap) => figuresOf(cap, lease, price)),
    });
    if (decision.kind === 'refuse' && decision.waits) return { ...decision, kind: 'refused' };
    const hit = decision.kind === 'refuse' ? hitOf(decision.limit) : null;
    if (hit !== found.limit_hit) noteLimit.run([hit, attemptKey, epoch]);
    if (decision.kind === 'refuse') return { ...decision, kind: 'refused' };
    const { tokens, outputCap } = decision;
    const streamed = request.streamed ? 1 : 0;
    const microUsd = costCeiling(price, upperBound(promptTokens, 0), outputCap);
    insert.run([
      attemptKey,
      epoch,
      call,
      found.retry,
      role,
      request.requestHash,
      tokens,
      prices.idOf(price),
      microUsd,
      outputCap,
      streamed,
      clock(),
    ]);
    balances.bookReserved({ experiment, arm, role }, tokens, microUsd);
    return { kind: 'reserved', retryIndex: found.retry, outputCap, tokens };
  };

  return (request) => {
    const lease = leaseState(request);
    if (lease.state !== 'open') return { kind: 'fenced', currentEpoch: currentEpoch(request.attemptKey) };
    if (isClosed(lease.experimentId)) return { kind: 'closed' };
    const halt = haltOf(lease.experimentId, lease.role);
    if (halt !== null) return { kind: 'halted', halt };
    return inTransaction(database, () => write(request, lease));
  };
}

/** A cap as a lease's request meets it; nothing where the request does not draw on it. */
function figuresOf(cap: CapUsage, { role, share }: LeaseState, price: ModelPrice): CapFigures[] {
  const { kind, limit, used: charged, reserved, held } = cap;
  if (kind === 'solver-tokens' && role !== 'solver') return [];
  const needOf =
    kind === 'money'
      ? (prompt: number, output: number): number => costCeiling(price, prompt, output) ?? Number.MAX_SAFE_INTEGER
      : (prompt: number, output: number): number => prompt + output;
  return [{ kind, charged, reserved, allowed: share === 'final' ? limit : Math.max(0, limit - held), needOf }];
}

/** A cap of the whole experiment ends an attempt as its arm's budget does. */
function hitOf(limit: 'calls' | 'tokens' | 'budget' | CapUsage['kind']): 'calls' | 'tokens' | 'budget' {
  return limit === 'money' || limit === 'solver-tokens' ? 'budget' : limit;
}
