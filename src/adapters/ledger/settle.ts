import { z } from 'zod';
import { byteDigest } from '../byte-digest.ts';
import type { CallEnd, LeaseState, LedgerPort } from '../../contract/ledger-port.ts';
import { oneLine } from '../../domain/one-line.ts';
import { costOf } from '../../domain/price.ts';
import { CallKey } from '../../schema/call-row.ts';
import type { EpochReference } from '../../schema/gateway.ts';
import type { ModelPrice } from '../../schema/prices.ts';
import type { Balances } from './balances.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';
import type { BookedPrices } from './prices.ts';

interface SettleDependencies {
  readonly database: LedgerDatabase;
  readonly clock: () => number;
  readonly leaseState: (reference: EpochReference) => LeaseState;
  readonly balances: Balances;
  readonly prices: BookedPrices;
}

const Ended = z
  .object({
    reserved: z.number(),
    charged: z.number(),
    request_hash: z.string(),
    micro_usd_reserved: z.number().nullable(),
    micro_usd_charged: z.number().nullable(),
  })
  .optional();
const PriceRow = z.object({ price: z.number() }).optional();
const ReservedKey = z
  .object({ attempt_key: CallKey.shape.attemptKey, epoch: z.number(), seq: z.number(), retry_index: z.number() })
  .transform((row) => ({ attemptKey: row.attempt_key, epoch: row.epoch, call: row.seq, retryIndex: row.retry_index }));

const END = `
  UPDATE call SET state = :state, basis = :basis, charged = coalesce(:charged, reserved),
    micro_usd_charged = coalesce(:microUsd, micro_usd_reserved), reported_input = :input,
    reported_output = :output, cache_read = :cacheRead, cache_write = :cacheWrite, reasoning = :reasoning,
    served_model = :servedModel, fault = :fault, code = :code, detail = :detail, response_sha256 = :sha256, settled_at = :at
  WHERE attempt_key = :key AND epoch = :epoch AND seq = :call AND retry_index = :retry AND state = 'reserved'
  RETURNING reserved, charged, request_hash, micro_usd_reserved, micro_usd_charged`;

const ENDED_BY_KILL: CallEnd = {
  kind: 'unknown',
  fault: 'infrastructure',
  code: 'gateway_ended',
  detail: 'the gateway ended while this request was in flight',
};

/** The one transition of a request attempt: reserved, then settled, rejected or unknown, with its answer beside it. */
export function createSettle(dependencies: SettleDependencies): Pick<LedgerPort, 'settle' | 'reconcile'> {
  const { database, clock, leaseState, balances, prices } = dependencies;
  const end = database.prepare(END);
  const charge = database.prepare(
    'SELECT charged FROM call WHERE attempt_key = ? AND epoch = ? AND seq = ? AND retry_index = ?',
  );
  const priceOf = database.prepare(
    'SELECT price FROM call WHERE attempt_key = ? AND epoch = ? AND seq = ? AND retry_index = ?',
  );
  const reserved = database.prepare("SELECT attempt_key, epoch, seq, retry_index FROM call WHERE state = 'reserved'");
  const insertAnswer = database.prepare(
    'INSERT INTO answer (attempt_key, epoch, seq, retry_index, request_hash, body) VALUES (?, ?, ?, ?, ?, ?)',
  );

  const write = (key: CallKey, callEnd: CallEnd): number => {
    const { attemptKey, epoch, call, retryIndex } = key;
    const body = callEnd.kind !== 'unknown' && callEnd.answer !== null ? JSON.stringify(callEnd.answer) : null;
    const sha256 = body === null ? null : byteDigest(body);
    const columns = columnsOf(callEnd);
    const price = PriceRow.parse(priceOf.get([attemptKey, epoch, call, retryIndex]));
    const microUsd = price === undefined ? null : moneyOf(prices.read(price.price), callEnd);
    const row = Ended.parse(
      end.get({ ...columns, microUsd, sha256, at: clock(), key: attemptKey, epoch, call, retry: retryIndex }),
    );
    if (row === undefined) {
      const before = z
        .object({ charged: z.number().nullable() })
        .parse(charge.get([attemptKey, epoch, call, retryIndex]));
      return before.charged ?? 0;
    }
    if (body !== null) insertAnswer.run([attemptKey, epoch, call, retryIndex, row.request_hash, body]);
    const { experimentId: experiment, arm, role } = leaseState(key);
    const reported = columns.input === null ? null : columns.input + (columns.output ?? 0);
    balances.bookEnd(
      { experiment, arm, role },
      {
        state: columns.state,
        reserved: row.reserved,
        reported,
        charged: row.charged,
        microUsdReserved: row.micro_usd_reserved,
        microUsdCharged: row.micro_usd_charged,
      },
    );
    return row.charged;
  };

  return {
    settle: (key, callEnd) => inTransaction(database, () => write(key, callEnd)),
    reconcile: () =>
      inTransaction(database, () => {
        const keys = ReservedKey.array().parse(reserved.all([]));
        for (const key of keys) write(key, ENDED_BY_KILL);
        return keys.length;
      }),
  };
}

/** Money of an end at the row's own price; null = the whole reservation, or a price that is not known. */
function moneyOf(price: ModelPrice, end: CallEnd): number | null {
  if (end.kind === 'rejected') return 0;
  return end.kind === 'answered' && end.usage !== null ? costOf(price, end.usage) : null;
}

/** `charged: null` = the whole reservation. */
function columnsOf(end: CallEnd) {
  const usage = end.kind === 'answered' ? end.usage : null;
  const outcome = outcomeOf(end);
  const served = end.kind === 'answered' ? end.servedModel : null;
  return {
    ...outcome,
    detail: outcome.detail === null ? null : oneLine(outcome.detail),
    input: usage?.inputTokens ?? null,
    output: usage?.outputTokens ?? null,
    cacheRead: usage?.cacheReadTokens ?? null,
    cacheWrite: usage?.cacheWriteTokens ?? null,
    reasoning: usage?.reasoningTokens ?? null,
    servedModel: served === null ? null : oneLine(served),
  };
}

function outcomeOf(end: CallEnd) {
  switch (end.kind) {
    case 'answered': {
      const charged = end.usage === null ? null : end.usage.inputTokens + end.usage.outputTokens;
      const fault = end.fault === null ? null : 'infrastructure';
      const { code = null, detail = null } = end.fault ?? {};
      return {
        state: 'settled',
        basis: charged === null ? 'upperBound' : 'reported',
        charged,
        fault,
        code,
        detail,
      } as const;
    }
    case 'rejected':
      return {
        state: 'rejected',
        basis: 'rejected',
        charged: 0,
        fault: end.fault,
        code: end.code,
        detail: end.detail,
      } as const;
    case 'unknown':
      return {
        state: 'unknown',
        basis: 'upperBound',
        charged: null,
        fault: end.fault,
        code: end.code,
        detail: end.detail,
      } as const;
  }
}
