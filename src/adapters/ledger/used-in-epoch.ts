import { z } from 'zod';
import type { EpochReference } from '../../schema/gateway.ts';
import type { LedgerDatabase } from './open-database.ts';

const Sums = z.object({
  requests: z.number(),
  tokens: z.number(),
  inherited_requests: z.number(),
  inherited: z.number(),
});

/** What counts against an attempt's limits in one epoch: its own request attempts and those that answered calls cost before. */
export interface UsedInEpoch {
  readonly calls: number;
  readonly tokens: number;
}

const USED = `
  SELECT count(*) AS requests, coalesce(sum(coalesce(charged, reserved)), 0) AS tokens,
    (SELECT coalesce(sum(requests), 0) FROM replayed_call WHERE attempt_key = :key AND epoch = :epoch) AS inherited_requests,
    (SELECT coalesce(sum(charged), 0) FROM replayed_call WHERE attempt_key = :key AND epoch = :epoch) AS inherited
  FROM call WHERE attempt_key = :key AND epoch = :epoch`;

/** Reads the sums; a reserved row counts as its reservation. */
export function createUsedInEpoch(database: LedgerDatabase): (reference: EpochReference) => UsedInEpoch {
  const statement = database.prepare(USED);
  return ({ attemptKey, epoch }) => {
    const sums = Sums.parse(statement.get({ key: attemptKey, epoch }));
    return { calls: sums.requests + sums.inherited_requests, tokens: sums.tokens + sums.inherited };
  };
}
