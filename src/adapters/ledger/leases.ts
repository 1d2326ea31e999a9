import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { LeaseState, LedgerPort } from '../../contract/ledger-port.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { EpochReference, LeaseReference } from '../../schema/gateway.ts';
import { LeaseRequest } from '../../schema/lease.ts';
import { inTransaction } from './open-database.ts';
import type { OpenedLedger } from './open-database.ts';

const LeaseRow = z
  .object({
    experiment: LeaseRequest.shape.experimentId,
    arm: LeaseRequest.shape.arm,
    role: LeaseRequest.shape.role,
    attempt_key: LeaseRequest.shape.attemptKey,
    epoch: z.number(),
    lease: z.number(),
    state: z.enum(['open', 'closed', 'fenced']),
    slot: z.number(),
    socket_name: z.string(),
    socket_uid: z.number().nullable(),
    calls_limit: z.number(),
    tokens_limit: z.number(),
    seed: z.number(),
    elapsed_before_ms: z.number(),
    waited_ms: z.number(),
  })
  .transform((row) => ({
    experimentId: row.experiment,
    arm: row.arm,
    role: row.role,
    attemptKey: row.attempt_key,
    epoch: row.epoch,
    lease: row.lease,
    state: row.state,
    slot: row.slot,
    socketName: row.socket_name,
    ...(row.socket_uid === null ? {} : { uid: row.socket_uid }),
    limits: { calls: row.calls_limit, tokens: row.tokens_limit },
    seed: row.seed,
    elapsedMs: row.elapsed_before_ms,
    waitedMs: row.waited_ms,
  }));

const SELECT_LEASE = 'SELECT a.experiment, a.arm, a.role, l.* FROM lease l JOIN attempt a ON a.key = l.attempt_key';

/** Wall time of an ended epoch: what its supervisor told, or the span of its calls less its waits, whichever is more. */
const ELAPSED_OF_EPOCH = `
  SELECT elapsed_before_ms + max(elapsed_ms, coalesce(
    (SELECT max(coalesce(settled_at, reserved_at)) FROM call c WHERE c.attempt_key = l.attempt_key AND c.epoch = l.epoch)
      - opened_at - waited_ms, 0)) AS total
  FROM lease l WHERE attempt_key = ? ORDER BY epoch DESC LIMIT 1`;

type Leases = Pick<
  LedgerPort,
  'openLease' | 'leaseState' | 'openLeaseStates' | 'setSocketOwner' | 'reportElapsed' | 'closeLease' | 'addWaited'
>;

/** Attempts, their epochs, and who may act for them. */
export function createLeases({ database, secret }: OpenedLedger, clock: () => number): Leases {
  const findAttempt = database.prepare('SELECT epoch FROM attempt WHERE key = ?');
  const insertAttempt = database.prepare(
    'INSERT INTO attempt (key, experiment, arm, role, epoch) VALUES (?, ?, ?, ?, ?)',
  );
  const raiseEpoch = database.prepare('UPDATE attempt SET epoch = ? WHERE key = ?');
  const findLease = database.prepare(`${SELECT_LEASE} WHERE attempt_key = ? AND l.epoch = ?`);
  const findOpen = database.prepare(`${SELECT_LEASE} WHERE state = 'open' ORDER BY slot`);
  const usedSlots = database.prepare(
    "SELECT slot FROM lease WHERE state = 'open' UNION SELECT slot FROM lease WHERE attempt_key = ?",
  );
  const elapsedBefore = database.prepare(ELAPSED_OF_EPOCH);
  const fenceOlder = database.prepare(
    "UPDATE lease SET state = 'fenced' WHERE attempt_key = ? AND epoch < ? AND state = 'open'",
  );
  const insertLease = database.prepare(
    `INSERT INTO lease (attempt_key, epoch, lease, state, slot, socket_name, socket_uid, calls_limit, tokens_limit, seed, opened_at, elapsed_before_ms)
     VALUES (?, ?, 1, 'open', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const takeOver = database.prepare(
    `UPDATE lease SET lease = lease + 1, state = 'open', slot = ?, calls_limit = ?, tokens_limit = ?, socket_uid = coalesce(?, socket_uid)
     WHERE attempt_key = ? AND epoch = ?`,
  );
  const setOwner = database.prepare('UPDATE lease SET socket_uid = ? WHERE attempt_key = ? AND epoch = ?');
  const setElapsed = database.prepare(
    'UPDATE lease SET elapsed_ms = max(elapsed_ms, ?) WHERE attempt_key = ? AND epoch = ?',
  );
  const close = database.prepare(
    "UPDATE lease SET state = 'closed' WHERE attempt_key = ? AND epoch = ? AND state = 'open'",
  );
  const wait = database.prepare('UPDATE lease SET waited_ms = waited_ms + ? WHERE attempt_key = ? AND epoch = ?');

  const derive = (purpose: string, key: string, epoch: number): Buffer =>
    createHmac('sha256', secret).update(`${purpose}:${key}:${epoch}`).digest();
  const withToken = (row: unknown): LeaseState => {
    const state = LeaseRow.parse(row);
    return { ...state, token: derive('token', state.attemptKey, state.epoch).toString('base64url') };
  };
  const leaseState = ({ attemptKey, epoch }: EpochReference): LeaseState => {
    const row = findLease.get([attemptKey, epoch]);
    if (row === undefined)
      throw new AnnealError('ANL-1015', { attempt: `${attemptKey.slice(0, 12)}…`, experiment: 'the ledger' });
    return withToken(row);
  };
  const current = (reference: LeaseReference): LeaseState => {
    const state = leaseState(reference);
    if (state.lease !== reference.lease || state.state === 'fenced')
      throw fenced(reference, `lease ${state.lease} (${state.state}) stands, ${reference.lease} asked`);
    return state;
  };
  const freeSlot = (attemptKey: string): number => {
    const used = new Set(
      z
        .object({ slot: z.number() })
        .array()
        .parse(usedSlots.all([attemptKey]))
        .map((row) => row.slot),
    );
    let slot = 0;
    while (used.has(slot)) slot += 1;
    return slot;
  };

  return {
    leaseState,
    openLease: (request) =>
      inTransaction(database, () => {
        const { attemptKey, epoch, limits } = request;
        const attempt = z
          .object({ epoch: z.number() })
          .optional()
          .parse(findAttempt.get([attemptKey]));
        if (attempt !== undefined && attempt.epoch > epoch)
          throw fenced(request, `epoch ${attempt.epoch} stands, ${epoch} asked`);
        if (attempt === undefined)
          insertAttempt.run([attemptKey, request.experimentId, request.arm, request.role, epoch]);
        const known = attempt?.epoch === epoch ? leaseState(request) : null;
        if (known !== null) {
          const slot = known.state === 'open' ? known.slot : freeSlot(attemptKey);
          takeOver.run([slot, limits.calls, limits.tokens, request.uid ?? null, attemptKey, epoch]);
          return leaseState(request);
        }
        // The slots of earlier epochs stay out of use for this attempt: their jails may still be ending.
        const slot = freeSlot(attemptKey);
        const elapsed =
          z
            .object({ total: z.number() })
            .optional()
            .parse(elapsedBefore.get([attemptKey]))?.total ?? 0;
        raiseEpoch.run([epoch, attemptKey]);
        fenceOlder.run([attemptKey, epoch]);
        const socketName = derive('socket', attemptKey, epoch).toString('hex').slice(0, 16);
        insertLease.run([
          attemptKey,
          epoch,
          slot,
          socketName,
          request.uid ?? null,
          limits.calls,
          limits.tokens,
          request.seed,
          clock(),
          elapsed,
        ]);
        return leaseState(request);
      }),
    openLeaseStates: () => findOpen.all([]).map(withToken),
    setSocketOwner: (reference, uid) => {
      current(reference);
      setOwner.run([uid, reference.attemptKey, reference.epoch]);
    },
    reportElapsed: (reference, elapsedMs) => {
      current(reference);
      setElapsed.run([elapsedMs, reference.attemptKey, reference.epoch]);
    },
    closeLease: (closing) =>
      inTransaction(database, () => {
        current(closing);
        if (closing.elapsedMs !== undefined) setElapsed.run([closing.elapsedMs, closing.attemptKey, closing.epoch]);
        close.run([closing.attemptKey, closing.epoch]);
      }),
    addWaited: ({ attemptKey, epoch }, waitedMs) => {
      wait.run([waitedMs, attemptKey, epoch]);
    },
  };
}

function fenced(reference: EpochReference, why: string): AnnealError {
  return new AnnealError('ANL-6006', { attempt: `${reference.attemptKey.slice(0, 12)}…` }, { why });
}
