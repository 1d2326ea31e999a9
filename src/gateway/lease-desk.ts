import { existsSync, readdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { CallClaim, LeaseState } from '../contract/ledger-port.ts';
import type { LeaseClosing, LeaseReference } from '../schema/gateway.ts';
import type { AttemptKey } from '../schema/ids.ts';
import type { Lease, LeaseRequest, LeaseUsage } from '../schema/lease.ts';
import type { CallOutcome } from './call-outcome.ts';
import { createFrontApp } from './front-app.ts';
import { createFrontServer } from './front-server.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { createLeaseSession } from './lease-session.ts';
import type { LeaseSession } from './lease-session.ts';
import { closeServer, giveSocket, listenUnix } from './listen-unix.ts';

interface Front {
  session: LeaseSession;
  readonly server: Server;
  readonly directory: string;
}

/** Opens and closes the fronts of leases; the ledger holds what must outlive this process. */
export interface LeaseDesk {
  /** Listens again for every lease that the ledger holds open. */
  readonly restore: () => Promise<void>;
  readonly open: (request: LeaseRequest) => Promise<Lease>;
  readonly setOwner: (reference: LeaseReference, uid: number) => void;
  /** Waits a while for a call in flight, then gives it up; returns what the lease came to. Twice is once. */
  readonly close: (closing: LeaseClosing) => Promise<LeaseUsage>;
  readonly openCount: () => number;
  readonly callsInFlight: () => number;
  /** Sends nothing new, waits for calls in flight, closes every socket. Leases stay open in the ledger. */
  readonly stop: () => Promise<void>;
}

/** A desk without fronts. Opening and closing of one attempt's leases go one after the other. */
export function createLeaseDesk(dependencies: GatewayDependencies): LeaseDesk {
  const { ledger, policy, socketBase } = dependencies;
  const fronts = new Map<string, Front>();
  const inTurn = createKeyedQueue();
  const keyOf = ({ attemptKey, epoch }: { attemptKey: AttemptKey; epoch: number }): string => `${attemptKey}/${epoch}`;
  const frontsOf = (attemptKey: AttemptKey): Front[] =>
    [...fronts.values()].filter((front) => front.session.state.attemptKey === attemptKey);

  const earlierInFlight = (claim: CallClaim): Promise<CallOutcome> | null => {
    const earlier = frontsOf(claim.attemptKey).map((front) => ({
      epoch: front.session.state.epoch,
      under: front.session.inFlight,
    }));
    const same = earlier.find(
      ({ epoch, under }) =>
        epoch < claim.epoch && under?.call === claim.call && under.requestHash === claim.requestHash,
    );
    return same?.under?.outcome ?? null;
  };
  const app = createFrontApp(dependencies, earlierInFlight);

  const listen = async (state: LeaseState): Promise<Front> => {
    const session = createLeaseSession(state);
    const server = createFrontServer(app, session, policy);
    const front: Front = { session, server, directory: join(socketBase, state.socketName) };
    await listenUnix(server, join(front.directory, 'gateway.sock'), state.uid);
    fronts.set(keyOf(state), front);
    return front;
  };

  const remove = async (front: Front): Promise<void> => {
    const { session } = front;
    session.noRetry.abort();
    await within(session.inFlight?.outcome, policy.closeGraceMs);
    session.over.abort();
    await session.inFlight?.outcome;
    fronts.delete(keyOf(session.state));
    await closeServer(front.server);
    rmSync(front.directory, { recursive: true, force: true });
  };

  const openNow = async (request: LeaseRequest): Promise<Lease> => {
    const state = ledger.openLease(request);
    // A front of an earlier epoch answers `fenced` until the attempt's lease is closed; its call in flight may end.
    const earlier = frontsOf(state.attemptKey).filter((front) => front.session.state.epoch < state.epoch);
    for (const front of earlier) front.session.noRetry.abort();
    const known = fronts.get(keyOf(state));
    if (known === undefined) await listen(state);
    else giveSocket(join(known.directory, 'gateway.sock'), state.uid);
    const { attemptKey, epoch, lease, token, slot, elapsedMs } = state;
    return { attemptKey, epoch, lease, socketDirectory: join(socketBase, state.socketName), token, slot, elapsedMs };
  };

  const closeNow = async (closing: LeaseClosing): Promise<LeaseUsage> => {
    ledger.closeLease(closing);
    // Before what is under way is given up: that is the run's own doing.
    const noted = fronts.get(keyOf(closing))?.session.unserved ?? null;
    const ended = frontsOf(closing.attemptKey).filter((front) => front.session.state.epoch <= closing.epoch);
    await Promise.all(ended.map(remove));
    const usage = ledger.leaseUsage(closing);
    return { ...usage, unserved: usage.unserved ?? noted };
  };

  return {
    restore: async () => {
      removeLeftovers(socketBase, new Set(ledger.openLeaseStates().map((state) => state.socketName)));
      for (const state of ledger.openLeaseStates()) await listen(state);
    },
    open: async (request) => inTurn(request.attemptKey, async () => openNow(request)),
    setOwner: (reference, uid) => {
      ledger.setSocketOwner(reference, uid);
      const front = fronts.get(keyOf(reference));
      if (front !== undefined) giveSocket(join(front.directory, 'gateway.sock'), uid);
    },
    close: async (closing) => inTurn(closing.attemptKey, async () => closeNow(closing)),
    openCount: () => ledger.openLeaseStates().length,
    callsInFlight: () => [...fronts.values()].filter((front) => front.session.inFlight !== null).length,
    stop: async () => {
      for (const front of fronts.values()) front.session.noRetry.abort();
      await within(
        Promise.all([...fronts.values()].map(async (front) => front.session.inFlight?.outcome)),
        policy.stopGraceMs,
      );
      await Promise.all([...fronts.values()].map((front) => closeServer(front.server)));
      fronts.clear();
    },
  };
}

/** Directories of leases that ended while no gateway ran. */
function removeLeftovers(socketBase: string, open: ReadonlySet<string>): void {
  if (!existsSync(socketBase)) return;
  for (const name of readdirSync(socketBase)) {
    if (/^[0-9a-f]{16}$/.test(name) && !open.has(name))
      rmSync(join(socketBase, name), { recursive: true, force: true });
  }
}

async function within(work: Promise<unknown> | undefined, milliseconds: number): Promise<void> {
  if (work === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
