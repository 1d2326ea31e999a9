import { z } from 'zod';
import type { EpochReference } from '../../schema/gateway.ts';
import type { LedgerDatabase } from './open-database.ts';

const Used = z.object({ calls: z.number(), tokens: z.number() });

/** What counts against an attempt's limits in one epoch: its own request attempts and those that answered calls cost before. */
export type UsedInEpoch = z.infer<typeof Used>;

/** One row (calls, tokens) over `:key` and `:epoch`, from one pass over the epoch; a reserved row counts as its reservation. */
export const USED_IN_EPOCH = `
  SELECT own.calls + inherited.calls AS calls, own.tokens + inherited.tokens AS tokens
  FROM (SELECT count(*) AS calls, coalesce(sum(coalesce(charged, reserved)), 0) AS tokens
      FROM call WHERE attempt_key = :key AND epoch = :epoch) own,
    (SELECT coalesce(sum(requests), 0) AS calls, coalesce(sum(charged), 0) AS tokens
      FROM replayed_call WHERE attempt_key = :key AND epoch = :epoch) inherited`;

/** Reads it for one epoch; zeros for one without a call. */
export function createUsedInEpoch(database: LedgerDatabase): (reference: EpochReference) => UsedInEpoch {
  const statement = database.prepare(USED_IN_EPOCH);
  return ({ attemptKey, epoch }) => Used.parse(statement.get({ key: attemptKey, epoch }));
}
