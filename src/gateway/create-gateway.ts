import { getRequestListener } from '@hono/node-server';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createControlApp } from './control-app.ts';
import { createControlHandlers } from './control-handlers.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { createLeaseDesk } from './lease-desk.ts';
import { closeServer, listenUnix } from './listen-unix.ts';
import { createRoleHealth } from './role-health.ts';

const BEAT_MS = 1000;

/** One process's gateway: started once, stopped once. */
export interface Gateway {
  /** Charges what an earlier process left in flight, listens for all open leases, then at the control socket. */
  readonly start: () => Promise<void>;
  /** Ends calls in flight within the policy's grace and closes every socket; the ledger stays the caller's to close. */
  readonly stop: () => Promise<void>;
}

/** The metering gateway on given parts; nothing runs before `start`. */
export function createGateway(parts: Omit<GatewayDependencies, 'health'>): Gateway {
  const dependencies: GatewayDependencies = { ...parts, health: createRoleHealth(parts.clock) };
  const { ledger, log, controlSocket } = dependencies;
  const desk = createLeaseDesk(dependencies);
  const control = createControlApp(createControlHandlers(dependencies, desk), log);
  const server: Server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  const listener = getRequestListener(control.fetch);
  let beat: NodeJS.Timeout | undefined;
  /** A full disk is no reason to leave those alone who wait for answers. */
  const noteAlive = (): void => {
    try {
      ledger.beat();
    } catch (error) {
      log.error({ error: String(error) }, 'beat-not-written');
    }
  };
  return {
    start: async () => {
      const unknown = ledger.reconcile();
      const outageMs = ledger.accountOutage();
      if (unknown > 0) log.warn({ rows: unknown }, 'calls-charged-in-full');
      await desk.restore();
      beat = setInterval(noteAlive, BEAT_MS);
      await listenUnix(server, controlSocket);
      log.info({ pid: process.pid, openLeases: desk.openCount(), outageMs }, 'gateway-started');
    },
    stop: async () => {
      clearInterval(beat);
      await desk.stop();
      await closeServer(server);
      noteAlive();
      log.info({ pid: process.pid }, 'gateway-stopped');
    },
  };
}
