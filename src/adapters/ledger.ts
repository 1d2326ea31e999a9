import type { LedgerPort } from '../contract/ledger-port.ts';
import { createAlive } from './ledger/alive.ts';
import { createBalances } from './ledger/balances.ts';
import { createCaps } from './ledger/caps.ts';
import { createClosedExperiments } from './ledger/closed-experiments.ts';
import { createEffects } from './ledger/effects.ts';
import { createExperiments } from './ledger/experiments.ts';
import { createLeaseUsage } from './ledger/lease-usage.ts';
import { createLeases } from './ledger/leases.ts';
import { openDatabase } from './ledger/open-database.ts';
import { NO_PRICE, createBookedPrices } from './ledger/prices.ts';
import { createQueries } from './ledger/queries.ts';
import { createRecords } from './ledger/records.ts';
import { createReserve } from './ledger/reserve.ts';
import { createSettle } from './ledger/settle.ts';
import { createSharedCommit } from './ledger/shared-commit.ts';
import { createStanding } from './ledger/standing.ts';
import { createUsage } from './ledger/usage.ts';
import { createUsedInEpoch } from './ledger/used-in-epoch.ts';

/**
 * The ledger on SQLite (WAL, synchronous FULL), created where it is missing. This process becomes its only owner
 * (ANL-5007 while another one is); a file of another version is refused (ANL-2003). `clock` gives epoch milliseconds.
 */
export function openLedger(path: string, clock: () => number = Date.now): LedgerPort {
  const opened = openDatabase(path);
  const { database } = opened;
  const prices = createBookedPrices(database);
  const { read: capsOf, open: openCaps, holdShare } = createCaps(database);
  const { haltOf, ...experiments } = createExperiments(database, clock, { caps: openCaps, prices });
  const { budgetLimit } = experiments;
  const closed = createClosedExperiments(database);
  const { currentEpoch, ...leases } = createLeases(opened, clock, { refuseClosed: closed.refuse, haltOf });
  const leaseUsage = createLeaseUsage(database);
  const used = createUsedInEpoch(database);
  const balances = createBalances(database);
  return {
    ...experiments,
    ...leases,
    reserve: createReserve({
      database,
      clock,
      leaseState: leases.leaseState,
      currentEpoch,
      balances,
      budgetLimit,
      haltOf,
      isClosed: closed.isClosed,
      caps: capsOf,
      prices,
      priceOf: (id, role) => experiments.experiment(id).prices?.[role] ?? NO_PRICE,
    }),
    ...createSettle({ database, clock, leaseState: leases.leaseState, balances, prices }),
    ...createEffects(database),
    ...createQueries(database, clock, budgetLimit),
    ...createRecords(database, closed.append),
    ...createUsage(database, budgetLimit, capsOf, experiments.halts),
    holdShare,
    ...createAlive(database, clock),
    leaseUsage,
    shared: createSharedCommit(database),
    openLeases: (id) =>
      leases
        .openLeaseStates()
        .filter((lease) => lease.experimentId === id)
        .map((lease) => ({
          attemptKey: lease.attemptKey,
          epoch: lease.epoch,
          lease: lease.lease,
          arm: lease.arm,
          role: lease.role,
          limits: lease.limits,
          usage: leaseUsage(lease),
        })),
    standing: createStanding({ database, leaseState: leases.leaseState, currentEpoch, used }),
    close: opened.close,
  };
}
