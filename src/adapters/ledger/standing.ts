import { z } from 'zod';
import type { CallClaim, CallStanding, LeaseState } from '../../contract/ledger-port.ts';
import { RecordedAnswer } from '../../schema/call-row.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';
import type { UsedInEpoch } from './used-in-epoch.ts';

const Hash = z.object({ request_hash: z.string() }).optional();
const StoredAnswer = z.object({ request_hash: z.string(), body: z.string() }).optional();
const EarlierCall = z.object({
  epoch: z.number(),
  request_hash: z.string(),
  requests: z.number(),
  charged: z.number(),
});
type EarlierCall = z.infer<typeof EarlierCall>;
const Position = z.object({ last: z.number(), own: z.number() });

interface StandingDependencies {
  readonly database: LedgerDatabase;
  readonly leaseState: (claim: CallClaim) => LeaseState;
  readonly currentEpoch: (attemptKey: string) => number;
  readonly used: (claim: CallClaim) => UsedInEpoch;
}

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
  const ownRow = database.prepare(
    'SELECT request_hash FROM call WHERE attempt_key = ? AND epoch = ? AND seq = ? LIMIT 1',
  );
  const answer = database.prepare(
    'SELECT request_hash, body FROM answer WHERE attempt_key = ? AND epoch = ? AND seq = ?',
  );
  const replayedAnswer = database.prepare(
    `SELECT r.request_hash, a.body FROM replayed_call r
     JOIN answer a ON a.attempt_key = r.attempt_key AND a.epoch = r.source_epoch AND a.seq = r.seq
     WHERE r.attempt_key = ? AND r.epoch = ? AND r.seq = ?`,
  );
  const position = database.prepare(
    `SELECT coalesce(max(last), 0) AS last, coalesce(max(own), 0) AS own FROM (
       SELECT max(seq) AS last, max(seq) AS own FROM call WHERE attempt_key = :key AND epoch = :epoch
       UNION ALL SELECT max(seq), 0 FROM replayed_call WHERE attempt_key = :key AND epoch = :epoch)`,
  );
  const earlier = database.prepare(EARLIER);
  const insertReplay = database.prepare(
    'INSERT INTO replayed_call (attempt_key, epoch, seq, source_epoch, request_hash, requests, charged) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const noteDivergence = database.prepare(
    'UPDATE lease SET diverged_at_call = ? WHERE attempt_key = ? AND epoch = ? AND diverged_at_call IS NULL',
  );

  const stored = (row: z.infer<typeof StoredAnswer>, hash: string, replayed: boolean): CallStanding | null => {
    if (row === undefined) return null;
    if (row.request_hash !== hash) return { kind: 'conflict' };
    return { kind: 'recorded', answer: RecordedAnswer.parse(JSON.parse(row.body)), replayed };
  };

  const replay = (claim: CallClaim, source: EarlierCall): CallStanding => {
    const { limits } = leaseState(claim);
    const before = used(claim);
    if (before.calls + source.requests > limits.calls)
      return { kind: 'limit', limit: 'calls', used: before.calls, allowed: limits.calls };
    if (before.tokens >= limits.tokens)
      return { kind: 'limit', limit: 'tokens', used: before.tokens, allowed: limits.tokens };
    const { attemptKey, epoch, call, requestHash } = claim;
    inTransaction(database, () =>
      insertReplay.run([attemptKey, epoch, call, source.epoch, requestHash, source.requests, source.charged]),
    );
    const body = StoredAnswer.parse(answer.get([attemptKey, source.epoch, call]));
    return stored(body, requestHash, true) ?? { kind: 'open' };
  };

  return (claim) => {
    const { attemptKey, epoch, call, requestHash } = claim;
    if (leaseState(claim).state !== 'open') return { kind: 'fenced', currentEpoch: currentEpoch(attemptKey) };
    const row = [attemptKey, epoch, call];
    const own = Hash.parse(ownRow.get(row));
    if (own !== undefined && own.request_hash !== requestHash) return { kind: 'conflict' };
    const recorded =
      stored(StoredAnswer.parse(answer.get(row)), requestHash, false) ??
      stored(StoredAnswer.parse(replayedAnswer.get(row)), requestHash, true);
    if (recorded !== null) return recorded;
    const at = Position.parse(position.get({ key: attemptKey, epoch }));
    if (call > at.last + 1) return { kind: 'gap', expected: at.last + 1 };
    if (own !== undefined || at.own > 0 || epoch === 1) return { kind: 'open' };
    const candidates = EarlierCall.array().parse(earlier.all([attemptKey, call, epoch]));
    const source = candidates.find((candidate) => candidate.request_hash === requestHash);
    if (source !== undefined) return replay(claim, source);
    if (candidates.length > 0) noteDivergence.run([call, attemptKey, epoch]);
    return { kind: 'open' };
  };
}
