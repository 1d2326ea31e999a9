import { z } from 'zod';
import { RecordedAnswer } from '../../schema/call-row.ts';
import type { EpochReference } from '../../schema/gateway.ts';
import { LeaseUsage } from '../../schema/lease.ts';
import type { LedgerDatabase } from './open-database.ts';

const Rows = z.object({
  requests: z.number(),
  calls: z.number(),
  reported: z.number(),
  charged: z.number(),
  unknown: z.number(),
  micro_usd: z.number(),
  unpriced: z.number(),
});
const Replays = z.object({ replayed: z.number(), requests: z.number(), inherited: z.number() });
const LeaseRow = z.object({
  waited_ms: z.number(),
  limit_hit: LeaseUsage.shape.limitHit,
  diverged_at_call: z.number().nullable(),
  unserved: z.string().nullable(),
});
const FaultRow = z
  .object({ fault: z.enum(['infrastructure', 'agent']).nullable(), code: z.string().nullable() })
  .optional();
const BodyRow = z.object({ body: z.string() }).optional();

/** What the ledger saw of one epoch of an attempt. Reserved rows count as their reservation. */
export function createLeaseUsage(database: LedgerDatabase): (reference: EpochReference) => LeaseUsage {
  const ofEpoch = 'WHERE attempt_key = ? AND epoch = ?';
  const rows = database.prepare(
    `SELECT count(*) AS requests, count(DISTINCT seq) AS calls,
       coalesce(sum(coalesce(reported_input + reported_output, 0)), 0) AS reported,
       coalesce(sum(coalesce(charged, reserved)), 0) AS charged, coalesce(sum(state = 'unknown'), 0) AS unknown,
       coalesce(sum(coalesce(micro_usd_charged, micro_usd_reserved)), 0) AS micro_usd,
       coalesce(sum(micro_usd_reserved IS NULL AND state <> 'rejected'), 0) AS unpriced
     FROM call ${ofEpoch}`,
  );
  const replays = database.prepare(
    `SELECT count(*) AS replayed, coalesce(sum(requests), 0) AS requests, coalesce(sum(charged), 0) AS inherited
     FROM replayed_call ${ofEpoch}`,
  );
  // A call that came later, or an answer to the same one, makes up for it.
  const later = (table: string, than: string): string =>
    `EXISTS (SELECT 1 FROM ${table} t WHERE t.attempt_key = l.attempt_key AND t.epoch = l.epoch AND t.seq ${than} l.unserved_call)`;
  const lease = database.prepare(
    `SELECT waited_ms, limit_hit, diverged_at_call,
       iif(${later('answer', '=')} OR ${later('call', '>')} OR ${later('replayed_call', '>=')}, NULL, unserved_code) AS unserved
     FROM lease l ${ofEpoch}`,
  );
  const served = database.prepare(
    `SELECT DISTINCT served_model AS name FROM call ${ofEpoch} AND served_model IS NOT NULL ORDER BY 1`,
  );
  const last = database.prepare(`SELECT fault, code FROM call ${ofEpoch} ORDER BY seq DESC, retry_index DESC LIMIT 1`);
  const lastReplay = database.prepare(
    `SELECT a.body FROM replayed_call r JOIN answer a ON a.attempt_key = r.attempt_key AND a.epoch = r.source_epoch AND a.seq = r.seq
     WHERE r.attempt_key = ? AND r.epoch = ? ORDER BY r.seq DESC LIMIT 1`,
  );

  const lastFault = (key: readonly [string, number]): LeaseUsage['lastFault'] => {
    const row = FaultRow.parse(last.get([...key]));
    if (row !== undefined) return row.fault === null ? null : { fault: row.fault, code: row.code ?? 'unknown' };
    const replay = BodyRow.parse(lastReplay.get([...key]));
    if (replay === undefined) return null;
    const answer = RecordedAnswer.parse(JSON.parse(replay.body));
    return answer.kind === 'fault' ? { fault: 'agent', code: answer.type } : null;
  };

  return ({ attemptKey, epoch }) => {
    const key = [attemptKey, epoch] as const;
    const own = Rows.parse(rows.get([...key]));
    const replayed = Replays.parse(replays.get([...key]));
    const state = LeaseRow.parse(lease.get([...key]));
    return {
      calls: own.calls + replayed.replayed,
      retries: own.requests - own.calls + replayed.requests - replayed.replayed,
      replayed: replayed.replayed,
      tokensReported: own.reported,
      tokensCharged: own.charged,
      tokensInherited: replayed.inherited,
      unknownRows: own.unknown,
      waitedMs: state.waited_ms,
      limitHit: state.limit_hit,
      lastFault: lastFault(key),
      unserved: state.unserved,
      servedModels: z
        .object({ name: z.string() })
        .array()
        .parse(served.all([...key]))
        .map((row) => row.name),
      ...(own.unpriced > 0 ? {} : { microUsdCharged: own.micro_usd }),
      divergedAtCall: state.diverged_at_call,
    };
  };
}
