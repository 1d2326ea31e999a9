import { createHash } from 'node:crypto';
import { z } from 'zod';
import type {
  CallEnd,
  LeaseState,
  LedgerPort,
  ReservationRequest,
  ReservationResult,
} from '../../contract/ledger-port.ts';
import type { CallKey, CallRow } from '../../schema/call-row.ts';
import type { EpochReference } from '../../schema/gateway.ts';
import { Role } from '../../schema/lease.ts';
import type { BalanceKey, Balances } from './balances.ts';
import { decideReservation } from './decide-reservation.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';
import type { UsedInEpoch } from './used-in-epoch.ts';

interface CallDependencies {
  readonly database: LedgerDatabase;
  readonly clock: () => number;
  readonly leaseState: (reference: EpochReference) => LeaseState;
  readonly currentEpoch: (attemptKey: string) => number;
  readonly used: (reference: EpochReference) => UsedInEpoch;
  readonly balances: Balances;
  readonly budgetLimit: LedgerPort['budgetLimit'];
  readonly haltReason: (experiment: string, role: string) => string | null;
}

const ReservedRow = z.object({
  attempt_key: z.string(),
  epoch: z.number(),
  seq: z.number(),
  retry_index: z.number(),
  request_hash: z.string(),
  state: z.enum(['reserved', 'settled', 'unknown', 'rejected']),
  reserved: z.number(),
  charged: z.number().nullable(),
  experiment: z.string(),
  arm: z.string(),
  role: Role,
});
type ReservedRow = z.infer<typeof ReservedRow>;

const SELECT_ROW = `SELECT c.attempt_key, c.epoch, c.seq, c.retry_index, c.request_hash, c.state, c.reserved, c.charged, a.experiment, a.arm, a.role
  FROM call c JOIN attempt a ON a.key = c.attempt_key`;

/** The one transition of a request attempt: reserved at its upper bound, then ended once. */
export function createCalls(dependencies: CallDependencies): Pick<LedgerPort, 'reserve' | 'settle' | 'reconcile'> {
  const { database, clock, leaseState, currentEpoch, used, balances, budgetLimit, haltReason } = dependencies;
  const nextRetry = database.prepare(
    'SELECT coalesce(max(retry_index) + 1, 0) AS next FROM call WHERE attempt_key = ? AND epoch = ? AND seq = ?',
  );
  const insert = database.prepare(
    `INSERT INTO call (attempt_key, epoch, seq, retry_index, role, request_hash, state, reserved, output_cap, streamed, reserved_at)
     VALUES (?, ?, ?, ?, ?, ?, 'reserved', ?, ?, ?, ?)`,
  );
  const noteLimit = database.prepare(
    'UPDATE lease SET limit_hit = ? WHERE attempt_key = ? AND epoch = ? AND limit_hit IS NOT ?',
  );
  const findRow = database.prepare(
    `${SELECT_ROW} WHERE c.attempt_key = ? AND c.epoch = ? AND c.seq = ? AND c.retry_index = ?`,
  );
  const findReserved = database.prepare(`${SELECT_ROW} WHERE c.state = 'reserved'`);
  const end = database.prepare(
    `UPDATE call SET state = :state, basis = :basis, charged = :charged, reported_input = :input, reported_output = :output,
       cache_read = :cacheRead, cache_write = :cacheWrite, reasoning = :reasoning, served_model = :servedModel,
       fault = :fault, code = :code, detail = :detail, response_sha256 = :sha256, settled_at = :at
     WHERE attempt_key = :key AND epoch = :epoch AND seq = :seq AND retry_index = :retry AND state = 'reserved'`,
  );
  const insertAnswer = database.prepare(
    'INSERT INTO answer (attempt_key, epoch, seq, retry_index, request_hash, body) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );

  const write = (row: ReservedRow, callEnd: CallEnd): number => {
    const booked = bookedEnd(callEnd, row.reserved);
    const body = callEnd.kind !== 'unknown' && callEnd.answer !== null ? JSON.stringify(callEnd.answer) : null;
    const usage = callEnd.kind === 'answered' ? callEnd.usage : null;
    end.run({
      key: row.attempt_key,
      epoch: row.epoch,
      seq: row.seq,
      retry: row.retry_index,
      state: booked.state,
      basis: booked.basis,
      charged: booked.charged,
      input: usage?.inputTokens ?? null,
      output: usage?.outputTokens ?? null,
      cacheRead: usage?.cacheReadTokens ?? null,
      cacheWrite: usage?.cacheWriteTokens ?? null,
      reasoning: usage?.reasoningTokens ?? null,
      servedModel: callEnd.kind === 'answered' ? callEnd.servedModel : null,
      ...faultOf(callEnd),
      sha256: body === null ? null : createHash('sha256').update(body).digest('hex'),
      at: clock(),
    });
    if (body !== null) insertAnswer.run([row.attempt_key, row.epoch, row.seq, row.retry_index, row.request_hash, body]);
    balances.bookEnd(row, { ...booked, reserved: row.reserved });
    return booked.charged;
  };

  return {
    reserve: (request) =>
      inTransaction(database, (): ReservationResult => {
        const { attemptKey, epoch, call } = request;
        const lease = leaseState(request);
        if (lease.state !== 'open') return { kind: 'fenced', currentEpoch: currentEpoch(attemptKey) };
        const key: BalanceKey = { experiment: lease.experimentId, arm: lease.arm, role: lease.role };
        const reason = haltReason(key.experiment, key.role);
        if (reason !== null) return { kind: 'halted', reason };
        const decision = decideReservation(
          figuresOf(
            request,
            lease,
            used(request),
            balances.used(key),
            budgetLimit(lease.experimentId, lease.arm, lease.role),
          ),
        );
        const hit = decision.kind === 'refuse' ? decision.limit : null;
        noteLimit.run([hit, attemptKey, epoch, hit]);
        if (decision.kind === 'refuse') return { ...decision, kind: 'refused' };
        const { next } = z.object({ next: z.number() }).parse(nextRetry.get([attemptKey, epoch, call]));
        const { tokens, outputCap } = decision;
        insert.run([
          attemptKey,
          epoch,
          call,
          next,
          lease.role,
          request.requestHash,
          tokens,
          outputCap,
          request.streamed ? 1 : 0,
          clock(),
        ]);
        balances.bookReserved(key, tokens);
        return { kind: 'reserved', retryIndex: next, outputCap, tokens };
      }),
    settle: (key: CallKey, callEnd) =>
      inTransaction(database, () => {
        const row = ReservedRow.parse(findRow.get([key.attemptKey, key.epoch, key.call, key.retryIndex]));
        return row.state === 'reserved' ? write(row, callEnd) : (row.charged ?? 0);
      }),
    reconcile: () =>
      inTransaction(database, () => {
        const rows = ReservedRow.array().parse(findReserved.all([]));
        for (const row of rows) {
          write(row, {
            kind: 'unknown',
            fault: 'infrastructure',
            code: 'gateway_ended',
            detail: 'the gateway ended while this request was in flight',
          });
        }
        return rows.length;
      }),
  };
}

function figuresOf(
  request: ReservationRequest,
  lease: LeaseState,
  used: UsedInEpoch,
  budgetUsed: number,
  budgetLimit: number | null,
) {
  const { promptTokens, maxOutputTokens, minOutputTokens } = request;
  return {
    promptTokens,
    maxOutputTokens,
    minOutputTokens,
    callsUsed: used.calls,
    callsLimit: lease.limits.calls,
    tokensUsed: used.tokens,
    tokensLimit: lease.limits.tokens,
    budgetUsed,
    budgetLimit,
  };
}

function bookedEnd(
  end: CallEnd,
  reserved: number,
): { state: Exclude<CallRow['state'], 'reserved'>; basis: CallRow['basis']; reported: number | null; charged: number } {
  switch (end.kind) {
    case 'answered': {
      if (end.usage === null) return { state: 'settled', basis: 'upperBound', reported: null, charged: reserved };
      const total = end.usage.inputTokens + end.usage.outputTokens;
      return { state: 'settled', basis: 'reported', reported: total, charged: total };
    }
    case 'rejected':
      return { state: 'rejected', basis: 'rejected', reported: null, charged: 0 };
    case 'unknown':
      return { state: 'unknown', basis: 'upperBound', reported: null, charged: reserved };
  }
}

function faultOf(end: CallEnd): { fault: string | null; code: string | null; detail: string | null } {
  if (end.kind !== 'answered') return { fault: end.fault, code: end.code, detail: end.detail };
  if (end.fault === null) return { fault: null, code: null, detail: null };
  return { fault: 'infrastructure', code: end.fault.code, detail: end.fault.detail };
}
