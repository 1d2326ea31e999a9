import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { LeaseState } from '../../contract/ledger-port.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { EpochReference } from '../../schema/gateway.ts';
import { LeaseRequest } from '../../schema/lease.ts';
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
    share: LeaseRequest.shape.share,
    elapsed_before_ms: z.number(),
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
    share: row.share,
    elapsedMs: row.elapsed_before_ms,
  }));

const SELECT_LEASE = 'SELECT a.experiment, a.arm, a.role, l.* FROM lease l JOIN attempt a ON a.key = l.attempt_key';

/** Epochs by attempt and number. */
export interface LeaseRows {
  /** ANL-1015 where there is none. Open ones are kept in memory: this process is the ledger's only writer. */
  readonly state: (reference: EpochReference) => LeaseState;
  /** From the table, whatever is kept in memory. */
  readonly read: (reference: EpochReference) => LeaseState;
  readonly open: () => readonly LeaseState[];
  /** To be called when anything of the attempt's epochs changed. */
  readonly forget: (attemptKey: string) => void;
  readonly socketName: (reference: EpochReference) => string;
}

/** Reads epochs; their tokens and socket names are derived from the ledger's secret, never stored in clear. */
export function createLeaseRows({ database, secret }: OpenedLedger): LeaseRows {
  const find = database.prepare(`${SELECT_LEASE} WHERE attempt_key = ? AND l.epoch = ?`);
  const findOpen = database.prepare(`${SELECT_LEASE} WHERE state = 'open' ORDER BY slot`);
  const derive = (purpose: string, { attemptKey, epoch }: EpochReference): Buffer =>
    createHmac('sha256', secret).update(`${purpose}:${attemptKey}:${epoch}`).digest();
  const parse = (row: unknown): LeaseState => {
    const state = LeaseRow.parse(row);
    return { ...state, token: derive('token', state).toString('base64url') };
  };
  const kept = new Map<string, LeaseState>();
  const keyOf = ({ attemptKey, epoch }: EpochReference): string => `${attemptKey}/${epoch}`;
  const read = (reference: EpochReference): LeaseState => {
    const row = find.get([reference.attemptKey, reference.epoch]);
    if (row !== undefined) return parse(row);
    throw new AnnealError('ANL-1015', {
      attempt: `${reference.attemptKey.slice(0, 12)}…`,
      experiment: 'the ledger',
    });
  };
  return {
    read,
    state: (reference) => {
      const state = kept.get(keyOf(reference)) ?? read(reference);
      if (state.state === 'open') kept.set(keyOf(reference), state);
      return state;
    },
    open: () => findOpen.all([]).map(parse),
    forget: (attemptKey) => {
      for (const [key, state] of kept) if (state.attemptKey === attemptKey) kept.delete(key);
    },
    socketName: (reference) => derive('socket', reference).toString('hex').slice(0, 16),
  };
}
