import { z } from 'zod';
import type { LeaseState, LedgerPort } from '../../contract/ledger-port.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { EpochReference, LeaseReference } from '../../schema/gateway.ts';
import type { Halt } from '../../schema/halt.ts';
import { createLeaseRows } from './lease-rows.ts';
import { inTransaction } from './open-database.ts';
import type { OpenedLedger } from './open-database.ts';

/** Wall time of an ended epoch: what its supervisor told, or the span of its calls less its waits, whichever is more. */
const ELAPSED_OF_EPOCH = `
  SELECT elapsed_before_ms + max(elapsed_ms, coalesce(
    (SELECT max(coalesce(settled_at, reserved_at)) FROM call c WHERE c.attempt_key = l.attempt_key AND c.epoch = l.epoch)
      - opened_at - waited_ms, 0)) AS total
  FROM lease l WHERE attempt_key = ? ORDER BY epoch DESC LIMIT 1`;

const Epoch = z.object({ epoch: z.number() }).optional();
const Total = z.object({ total: z.number() }).optional();
const Slots = z.array(z.object({ slot: z.number() }));

type Leases = Pick<
  LedgerPort,
  | 'openLease'
  | 'leaseState'
  | 'openLeaseStates'
  | 'setSocketOwner'
  | 'reportElapsed'
  | 'closeLease'
  | 'addWaited'
  | 'noteUnserved'
> & {
  /** Newest epoch of an attempt, 0 where it has none. */
  readonly currentEpoch: (attemptKey: string) => number;
};

/** What may forbid an epoch; `refuseClosed` throws ANL-6010 for an experiment that is closed. */
interface LeaseBars {
  readonly refuseClosed: (experiment: string) => void;
  readonly haltOf: (experiment: string, role: string) => Halt | null;
}

/** Attempts, their epochs, and who may act for them. */
export function createLeases(opened: OpenedLedger, clock: () => number, { refuseClosed, haltOf }: LeaseBars): Leases {
  const { database } = opened;
  const rows = createLeaseRows(opened);
  const findAttempt = database.prepare('SELECT epoch FROM attempt WHERE key = ?');
  const insertAttempt = database.prepare(
    'INSERT INTO attempt (key, experiment, arm, role, epoch) VALUES (?, ?, ?, ?, ?)',
  );
  const raiseEpoch = database.prepare('UPDATE attempt SET epoch = ? WHERE key = ?');
  const usedSlots = database.prepare(
    "SELECT slot FROM lease WHERE state = 'open' UNION SELECT slot FROM lease WHERE attempt_key = ?",
  );
  const elapsedBefore = database.prepare(ELAPSED_OF_EPOCH);
  const fenceOlder = database.prepare(
    "UPDATE lease SET state = 'fenced' WHERE attempt_key = ? AND epoch < ? AND state = 'open'",
  );
  const insertLease = database.prepare(
    `INSERT INTO lease (attempt_key, epoch, slot, socket_name, socket_uid, calls_limit, tokens_limit, seed, share,
       opened_at, elapsed_before_ms, lease, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'open')`,
  );
  const takeOver = database.prepare(
    `UPDATE lease SET lease = lease + 1, state = 'open', slot = ?, calls_limit = ?, tokens_limit = ?,
       socket_uid = coalesce(?, socket_uid) WHERE attempt_key = ? AND epoch = ?`,
  );
  const setOwner = database.prepare('UPDATE lease SET socket_uid = ? WHERE attempt_key = ? AND epoch = ?');
  const setElapsed = database.prepare(
    'UPDATE lease SET elapsed_ms = max(elapsed_ms, ?) WHERE attempt_key = ? AND epoch = ?',
  );
  const close = database.prepare(
    "UPDATE lease SET state = 'closed' WHERE attempt_key = ? AND epoch = ? AND state = 'open'",
  );
  const unserved = database.prepare(
    "UPDATE lease SET unserved_call = ?, unserved_code = ? WHERE attempt_key = ? AND epoch = ? AND state = 'open'",
  );
  const wait = database.prepare('UPDATE lease SET waited_ms = waited_ms + ? WHERE attempt_key = ? AND epoch = ?');

  const change = <Result>({ attemptKey }: EpochReference, work: () => Result): Result => {
    try {
      return inTransaction(database, work);
    } finally {
      rows.forget(attemptKey);
    }
  };
  const checkCurrent = (reference: LeaseReference): void => {
    const { lease, state } = rows.read(reference);
    if (lease === reference.lease && state !== 'fenced') return;
    throw fenced(reference, `lease ${lease} (${state}) stands, ${reference.lease} asked`);
  };
  const currentEpoch = (attemptKey: string): number => Epoch.parse(findAttempt.get([attemptKey]))?.epoch ?? 0;
  const freeSlot = (attemptKey: string): number => {
    const used = new Set(Slots.parse(usedSlots.all([attemptKey])).map((row) => row.slot));
    let slot = 0;
    while (used.has(slot)) slot += 1;
    return slot;
  };

  return {
    currentEpoch,
    leaseState: rows.state,
    openLeaseStates: rows.open,
    openLease: (request) =>
      change(request, (): LeaseState => {
        const { attemptKey, epoch, limits, uid = null } = request;
        refuseClosed(request.experimentId);
        const newest = currentEpoch(attemptKey);
        if (newest > epoch) throw fenced(request, `epoch ${newest} stands, ${epoch} asked`);
        if (newest === epoch) {
          const { state, slot } = rows.read(request);
          takeOver.run([
            state === 'open' ? slot : freeSlot(attemptKey),
            limits.calls,
            limits.tokens,
            uid,
            attemptKey,
            epoch,
          ]);
          return rows.read(request);
        }
        const halt = haltOf(request.experimentId, request.role);
        if (halt !== null) throw halted(request.experimentId, halt);
        if (newest === 0) insertAttempt.run([attemptKey, request.experimentId, request.arm, request.role, epoch]);
        // Slots of the attempt's earlier epochs stay out of use for it: their jails may still be ending.
        const slot = freeSlot(attemptKey);
        const elapsed = Total.parse(elapsedBefore.get([attemptKey]))?.total ?? 0;
        raiseEpoch.run([epoch, attemptKey]);
        fenceOlder.run([attemptKey, epoch]);
        const { calls, tokens } = limits;
        insertLease.run([
          attemptKey,
          epoch,
          slot,
          rows.socketName(request),
          uid,
          calls,
          tokens,
          request.seed,
          request.share,
          clock(),
          elapsed,
        ]);
        return rows.read(request);
      }),
    setSocketOwner: (reference, uid) =>
      change(reference, () => {
        checkCurrent(reference);
        setOwner.run([uid, reference.attemptKey, reference.epoch]);
      }),
    reportElapsed: (reference, elapsedMs) =>
      change(reference, () => {
        checkCurrent(reference);
        setElapsed.run([elapsedMs, reference.attemptKey, reference.epoch]);
      }),
    closeLease: (closing) =>
      change(closing, () => {
        checkCurrent(closing);
        if (closing.elapsedMs !== undefined) setElapsed.run([closing.elapsedMs, closing.attemptKey, closing.epoch]);
        close.run([closing.attemptKey, closing.epoch]);
      }),
    addWaited: ({ attemptKey, epoch }, waitedMs) => {
      wait.run([waitedMs, attemptKey, epoch]);
    },
    noteUnserved: ({ attemptKey, epoch, call }, code) => {
      unserved.run([call, code, attemptKey, epoch]);
    },
  };
}

function halted(experiment: string, { role, reason }: Halt): AnnealError {
  return new AnnealError('ANL-5010', { role, experiment }, { why: reason });
}

function fenced(reference: EpochReference, why: string): AnnealError {
  return new AnnealError('ANL-6006', { attempt: `${reference.attemptKey.slice(0, 12)}…` }, { why });
}
