import type { ControlOperation, ControlReply, controlOperations } from '../schema/gateway.ts';
import type { z } from 'zod';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { LeaseDesk } from './lease-desk.ts';

/** One function per operation, on parsed requests. */
export type ControlHandlers = {
  readonly [Name in ControlOperation]: (
    request: z.output<(typeof controlOperations)[Name]['request']>,
  ) => ControlReply<Name> | Promise<ControlReply<Name>>;
};

/** Every operation of the control socket; what the ledger refuses is thrown as an `AnnealError`. */
export function createControlHandlers(dependencies: GatewayDependencies, desk: LeaseDesk): ControlHandlers {
  const { ledger, providers, version, clock } = dependencies;
  const startedAt = clock();
  return {
    registerExperiment: (registration) => {
      const kind = ledger.registerExperiment(registration);
      // Made now so that a key that is not set is told before anything runs.
      const { models } = ledger.experiment(registration.experimentId);
      for (const role of ['solver', 'updater', 'judge'] as const) {
        const binding = models[role];
        if (binding !== undefined) providers(binding, role);
      }
      return { kind };
    },
    openLease: (request) => desk.open(request),
    setSocketOwner: ({ uid, ...reference }) => {
      desk.setOwner(reference, uid);
      return {};
    },
    reportElapsed: ({ elapsedMs, ...reference }) => {
      ledger.reportElapsed(reference, elapsedMs);
      return {};
    },
    closeLease: (closing) => desk.close(closing),
    leaseUsage: (reference) => {
      ledger.leaseState(reference);
      return ledger.leaseUsage(reference);
    },
    openLeases: ({ experimentId }) => ({ leases: [...ledger.openLeases(experimentId)] }),
    getEffect: ({ key }) => ledger.getEffect(key),
    getEffects: ({ keys }) => ({ effects: keys.map((key) => ledger.getEffect(key)) }),
    putEffect: (effect) => ledger.putEffect(effect),
    reserveQuery: (reference) => ledger.reserveQuery(reference),
    discloseQuery: (disclosure) => ledger.discloseQuery(disclosure),
    releaseQuery: (reference) => ({ kind: ledger.releaseQuery(reference) }),
    appendRecord: (record) => ledger.appendRecord(record),
    listRecords: (query) => ({ records: [...ledger.listRecords(query)] }),
    usage: ({ experimentId }) => ledger.usage(experimentId),
    holdShare: (holding) => ({ caps: [...ledger.holdShare(holding)] }),
    halts: ({ experimentId }) => ({ halts: [...ledger.halts(experimentId)] }),
    grant: (grant) => ({ limit: ledger.grant(grant) }),
    listCalls: ({ experimentId, after, limit }) => ({ calls: [...ledger.listCalls(experimentId, after, limit)] }),
    auditLedger: ({ experimentId }) => ledger.audit(experimentId),
    health: () => ({
      version,
      pid: process.pid,
      startedAt,
      openLeases: desk.openCount(),
      callsInFlight: desk.callsInFlight(),
    }),
  };
}
