import type { LedgerView } from '../../src/cli/dependencies.ts';
import type { ArmName, AttemptKey } from '../../src/schema/ids.ts';
import { digestOf } from './lock-builder.ts';

const ace = 'ace' as ArmName;
const row = {
  arm: ace,
  rows: 9,
  rejectedRows: 0,
  unknownRows: 0,
  unknownCharged: 0,
  reserved: 4500,
  microUsd: 0,
  microUsdReserved: 0,
  unpricedRows: 0,
};
const lease = {
  attemptKey: digestOf('attempt') as string as AttemptKey,
  epoch: 1,
  lease: 1,
  arm: ace,
  role: 'solver' as const,
  limits: { calls: 20, tokens: 400_000 },
};
const leaseUsage = {
  calls: 3,
  retries: 0,
  replayed: 0,
  tokensReported: 1500,
  tokensCharged: 1500,
  tokensInherited: 500,
  unknownRows: 0,
  waitedMs: 0,
  limitHit: null,
  lastFault: null,
  servedModels: [],
  divergedAtCall: null,
};
/** Two attempts in flight and an updater that has spent something. */
export const ledgerView: LedgerView = {
  usage: {
    roles: [
      { ...row, role: 'updater', reported: 7000, charged: 7100, limit: 2_000_000, left: 1_992_900 },
      { ...row, role: 'solver', reported: 20_000, charged: 20_000, limit: null, left: null },
    ],
    caps: [],
    queries: [{ arm: ace, used: 2, cap: 4 }],
    unknown: [],
    servedModels: [],
    halted: [],
  },
  leases: [
    { ...lease, usage: leaseUsage },
    { ...lease, usage: { ...leaseUsage, calls: 12, tokensCharged: 150_000 } },
  ],
};
