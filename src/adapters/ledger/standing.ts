import { z } from 'zod';
import type { CallClaim, CallStanding, LeaseState } from '../../contract/ledger-port.ts';
import { RecordedAnswer } from '../../schema/call-row.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';
import type { UsedInEpoch } from './used-in-epoch.ts';

const Position = z.object({
  /** Request of this number's rows in this epoch, null where it has none. */
  own_hash: z.string().nullable(),
  /** Highest number of this epoch that has rows, and that was answered from an earlier epoch. */
  own_last: z.number(),
  replayed_last: z.number(),
});
const StoredAnswer = z.object({ request_hash: z.string(), body: z.string() }).optional();
const EarlierCall = z.object({
  epoch: z.number(),
  request_hash: z.string(),
  requests: z.number(),
  charged: z.number(),
});
type EarlierCall = z.infer<typeof EarlierCall>;

interface StandingDependencies {
  readonly database: LedgerDatabase;
  readonly leaseState: (claim: CallClaim) => LeaseState;
  readonly currentEpoch: (attemptKey: string) => number;
  readonly used: (claim: CallClaim) => UsedInEpoch;
}

const POSITION = `
  SELECT
    (SELECT request_hash FROM call WHERE attempt_key = :key AND epoch = :epoch AND seq = :call LIMIT 1) AS own_hash,
    coalesce((SELECT max(seq) FROM call WHERE attempt_key = :key AND epoch = :epoch), 0) AS own_last,
    coalesce((SELECT max(seq) FROM replayed_call WHERE attempt_key = :key AND epoch = :epoch), 0) AS replayed_last`;

/** Answered calls of earlier epochs with this number, the latest first, with what each cost. */
const EARLIER = `
  SELECT a.epoch, a.request_hash, count(*) AS requests, coalesce(sum(coalesce(c.charged, c.reserved)), 0) AS charged
  FROM answer a JOIN call c ON c.attempt_key = a.attempt_key AND c.epoch = a.epoch AND c.seq = a.seq
  WHERE a.attempt_key = ? AND a.seq = ? AND a.epoch < ?
  GROUP BY a.epoch ORDER BY a.epoch DESC`;

/**
 * Where a numbered call stands: in this epoch's record; in an earlier epoch's, as long as this epoch has spent nothing
 * and the request agrees (it is then booked as replayed); or open. The first request that differs is noted as divergence.
 */
export function createStanding(dependencies: StandingDependencies): (claim: CallClaim) => CallStanding {
  const { database, leaseState, currentEpoch, used } = dependencies;
  const position = database.prepare(POSITION);
  const answer = database.prepare(
    'SELECT request_hash, body FROM answer WHERE attempt_key = ? AND epoch = ? AND seq = ?',
  );
  const replayedAnswer = database.prepare(
    `SELECT r.request_hash, a.body FROM replayed_call r
     JOIN answer a ON a.attempt_key = r.attempt_key AND a.epoch = r.source_epoch AND a.seq = r.seq
     WHERE r.attempt_key = ? AND r.epoch = ? AND r.seq = ?`,
  );
  const earlier = database.prepare(EARLIER);
  const insertReplay = database.prepare(
    'INSERT INTO replayed_call (attempt_key, epoch, seq, source_epoch, request_hash, requests, charged) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const noteDivergence = database.prepare(
    'UPDATE lease SET diverged_at_call = ? WHERE attempt_key = ? AND epoch = ? AND diverged_at_call IS NULL',
  );

  const stored = (row: unknown, hash: string, replayed: boolean): CallStanding | null => {
    const known = StoredAnswer.parse(row);
    if (known === undefined) return null;
    if (known.request_hash !== hash) return { kind: 'conflict' };
    return { kind: 'recorded', answer: RecordedAnswer.parse(JSON.parse(known.body)), replayed };
  };

  const replay = (claim: CallClaim, source: EarlierCall): CallStanding => {
    const { limits } = leaseState(claim);
    const { calls, tokens } = used(claim);
    if (calls + source.requests > limits.calls)
      return { kind: 'limit', limit: 'calls', used: calls, allowed: limits.calls };
    if (tokens >= limits.tokens) return { kind: 'limit', limit: 'tokens', used: tokens, allowed: limits.tokens };
    const { attemptKey, epoch, call, requestHash } = claim;
    inTransaction(database, () =>
      insertReplay.run([attemptKey, epoch, call, source.epoch, requestHash, source.requests, source.charged]),
    );
    return stored(answer.get([attemptKey, source.epoch, call]), requestHash, true) ?? { kind: 'open' };
  };

  return (claim) => {
    const { attemptKey, epoch, call, requestHash } = claim;
    if (leaseState(claim).state !== 'open') return { kind: 'fenced', currentEpoch: currentEpoch(attemptKey) };
    const at = Position.parse(position.get({ key: attemptKey, epoch, call }));
    if (at.own_hash !== null) {
      if (at.own_hash !== requestHash) return { kind: 'conflict' };
      return stored(answer.get([attemptKey, epoch, call]), requestHash, false) ?? { kind: 'open' };
    }
    if (call <= at.replayed_last) {
      return stored(replayedAnswer.get([attemptKey, epoch, call]), requestHash, true) ?? { kind: 'open' };
    }
    const next = Math.max(at.own_last, at.replayed_last) + 1;
    if (call > next) return { kind: 'gap', expected: next };
    if (at.own_last > 0 || epoch === 1) return { kind: 'open' };
    const candidates = EarlierCall.array().parse(earlier.all([attemptKey, call, epoch]));
    const source = candidates.find((candidate) => candidate.request_hash === requestHash);
    if (source !== undefined) return replay(claim, source);
    if (candidates.length > 0) noteDivergence.run([call, attemptKey, epoch]);
    return { kind: 'open' };
  };
}
