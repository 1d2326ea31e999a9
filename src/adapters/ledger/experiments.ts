import { z } from 'zod';
import type { LedgerPort } from '../../contract/ledger-port.ts';
import { AnnealError } from '../../domain/errors.ts';
import { oneLine } from '../../domain/one-line.ts';
import { BudgetKind, ExperimentRegistration } from '../../schema/gateway.ts';
import { Halt } from '../../schema/halt.ts';
import type { ExperimentId } from '../../schema/ids.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';
import type { BookedPrices } from './prices.ts';

const ExperimentRow = z.object({ config_digest: z.string(), models: z.string(), prices: z.string() });
const BudgetRow = z.object({ kind: BudgetKind, limit_value: z.number().int().nullable() });

type Experiments = Pick<
  LedgerPort,
  'registerExperiment' | 'experiment' | 'haltRole' | 'halts' | 'grant' | 'budgetLimit'
> & {
  /** What halts the role now, null when nothing does. */
  readonly haltOf: (experiment: string, role: string) => Halt | null;
};

/** Frozen budgets and pinned models of experiments, and the changes a person granted. */
export function createExperiments(
  database: LedgerDatabase,
  clock: () => number,
  takeOver: { readonly caps: (registration: ExperimentRegistration) => void; readonly prices: BookedPrices },
): Experiments {
  const find = database.prepare('SELECT config_digest, models, prices FROM experiment WHERE id = ?');
  const insert = database.prepare(
    'INSERT INTO experiment (id, config_digest, models, prices, registered_at) VALUES (?, ?, ?, ?, ?)',
  );
  const update = database.prepare('UPDATE experiment SET models = ?, prices = ? WHERE id = ?');
  const insertBudget = database.prepare('INSERT INTO budget (experiment, kind, limit_value) VALUES (?, ?, ?)');
  const budgets = database.prepare('SELECT kind, limit_value FROM budget WHERE experiment = ?');
  const insertHalt = database.prepare(
    `INSERT INTO halt (experiment, role, kind, reason, setting, since, until) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET kind = excluded.kind, reason = excluded.reason, setting = excluded.setting,
       since = excluded.since, until = excluded.until WHERE until <= excluded.since`,
  );
  const liftHalts = database.prepare('DELETE FROM halt WHERE experiment = ?');
  const findHalts = database.prepare(
    'SELECT role, kind, reason, setting, since, until FROM halt WHERE experiment = ? ORDER BY role',
  );
  const insertChange = database.prepare(
    `INSERT INTO budget_change (experiment, request_id, arm, kind, delta, changed_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const limitOf = database.prepare(
    `SELECT limit_value + coalesce((SELECT sum(delta) FROM budget_change c
       WHERE c.experiment = b.experiment AND c.arm = ? AND c.kind = b.kind), 0) AS limit_value
     FROM budget b WHERE experiment = ? AND kind = ?`,
  );

  // This process is the ledger's only writer, so what was read stays true until it registers again.
  const known = new Map<string, ExperimentRegistration>();
  const limits = new Map<string, number | null>();
  const halts = new Map<string, readonly Halt[]>();
  const forget = (): void => {
    for (const memory of [known, limits, halts]) memory.clear();
  };
  const budgetLimit: LedgerPort['budgetLimit'] = (id, arm, kind) =>
    remembered(limits, `${id}/${arm}/${kind}`, () => {
      const row = BudgetRow.pick({ limit_value: true })
        .optional()
        .parse(limitOf.get([arm, id, kind]));
      return row?.limit_value === undefined || row.limit_value === null ? null : Math.max(0, row.limit_value);
    });
  const change = <Result>(work: () => Result): Result => {
    try {
      return inTransaction(database, work);
    } finally {
      forget();
    }
  };
  const standing = (id: string): readonly Halt[] => {
    const now = clock();
    const stored = remembered(halts, id, () => Halt.array().parse(findHalts.all([id])));
    return stored.filter(({ until }) => until === null || now < until);
  };
  const read = (id: ExperimentId): ExperimentRegistration => {
    const row = ExperimentRow.optional().parse(find.get([id]));
    if (row === undefined) throw new AnnealError('ANL-1008', { experiment: id, home: 'the ledger' });
    const amounts = Object.fromEntries(
      BudgetRow.array()
        .parse(budgets.all([id]))
        .map((budget) => [budget.kind, budget.limit_value]),
    );
    return ExperimentRegistration.parse({
      experimentId: id,
      configDigest: row.config_digest,
      models: JSON.parse(row.models) as unknown,
      prices: JSON.parse(row.prices) as unknown,
      budgets: amounts,
      queries: amounts['queries'],
    });
  };

  return {
    budgetLimit,
    registerExperiment: (registration) =>
      change(() => {
        const { experimentId, configDigest } = registration;
        const models = JSON.stringify(registration.models);
        const prices = JSON.stringify(registration.prices ?? {});
        takeOver.prices.book(Object.values(registration.prices ?? {}));
        const stored = ExperimentRow.optional().parse(find.get([experimentId]));
        if (stored !== undefined) {
          if (stored.config_digest !== configDigest)
            throw changedContents(experimentId, stored.config_digest, configDigest);
          update.run([models, prices, experimentId]);
          liftHalts.run([experimentId]);
          return 'known';
        }
        insert.run([experimentId, configDigest, models, prices, clock()]);
        takeOver.caps(registration);
        for (const [kind, limit] of Object.entries({ ...registration.budgets, queries: registration.queries })) {
          insertBudget.run([experimentId, kind, limit]);
        }
        return 'registered';
      }),
    experiment: (id) => remembered(known, id, () => read(id)),
    haltRole: (id, { role, kind, reason, setting, since, until }) =>
      change(() => void insertHalt.run([id, role, kind, oneLine(reason), setting, since, until])),
    halts: standing,
    haltOf: (experiment, role) => standing(experiment).find((halt) => halt.role === role) ?? null,
    grant: ({ experimentId, requestId, arm, kind, delta }) => {
      change(() => void insertChange.run([experimentId, requestId, arm, kind, delta, clock()]));
      return budgetLimit(experimentId, arm, kind);
    },
  };
}

function remembered<Value>(memory: Map<string, Value>, key: string, read: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = read();
  memory.set(key, value);
  return value;
}

function changedContents(experiment: string, stored: string, asked: string): AnnealError {
  const why = `the ledger holds config sha256:${stored.slice(0, 8)}…, asked was sha256:${asked.slice(0, 8)}…`;
  return new AnnealError('ANL-2004', { experiment }, { why, notSpent: 'nothing was started, 0 tokens spent' });
}
