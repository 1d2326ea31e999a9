import { z } from 'zod';
import type { LedgerPort } from '../../contract/ledger-port.ts';
import { CapUsage } from '../../schema/gateway.ts';
import type { ExperimentRegistration } from '../../schema/gateway.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';

const CapRow = z.object({
  kind: CapUsage.shape.kind,
  limit_value: z.number(),
  held: z.number(),
  used: z.number(),
  reserved: z.number(),
});

const CAPS = `
  SELECT c.kind, c.limit_value, c.held,
    coalesce(sum(CASE WHEN c.kind = 'money' THEN b.micro_usd WHEN b.role = 'solver' THEN b.charged END), 0) AS used,
    coalesce(sum(CASE WHEN c.kind = 'money' THEN b.micro_usd_reserved WHEN b.role = 'solver' THEN b.reserved END), 0) AS reserved
  FROM cap c LEFT JOIN balance b ON b.experiment = c.experiment WHERE c.experiment = ? GROUP BY c.kind ORDER BY c.kind`;

type Caps = Pick<LedgerPort, 'holdShare'> & {
  /** Every cap of an experiment as it stands, over all arms and roles. */
  readonly read: (experiment: string) => CapUsage[];
  /** Writes the caps of a new experiment; inside the transaction that registers it. */
  readonly open: (registration: ExperimentRegistration) => void;
};

/** Caps over whole experiments, and what of them is held back for the final test. */
export function createCaps(database: LedgerDatabase): Caps {
  const caps = database.prepare(CAPS);
  const insert = database.prepare('INSERT INTO cap (experiment, kind, limit_value) VALUES (?, ?, ?)');
  const hold = database.prepare('UPDATE cap SET held = ? WHERE experiment = ? AND kind = ?');
  // Caps are written with their experiment and never later, so one that has none need not be asked about again.
  const uncapped = new Set<string>();
  const read: Caps['read'] = (experiment) => {
    if (uncapped.has(experiment)) return [];
    const rows = CapRow.array().parse(caps.all([experiment]));
    if (rows.length === 0) uncapped.add(experiment);
    return rows.map(({ kind, limit_value: limit, held, used, reserved }) => {
      return { kind, limit, used, reserved, held, left: Math.max(0, limit - used - reserved - held) };
    });
  };
  return {
    read,
    open: ({ experimentId, caps: wanted }) => {
      uncapped.delete(experimentId);
      const limits = [
        ['solver-tokens', wanted?.solverTokens],
        ['money', wanted?.microUsd],
      ] as const;
      for (const [kind, limit] of limits) if (limit != null) insert.run([experimentId, kind, limit]);
    },
    holdShare: ({ experimentId, solverTokens, microUsd }) =>
      inTransaction(database, () => {
        for (const { kind, limit, used, reserved } of read(experimentId)) {
          const wanted = kind === 'money' ? microUsd : solverTokens;
          if (wanted !== null) hold.run([Math.min(wanted, Math.max(0, limit - used - reserved)), experimentId, kind]);
        }
        return read(experimentId);
      }),
  };
}
