import { createHash } from 'node:crypto';
import Database from 'libsql';
import type { EvidenceCopy } from './evidence-copy.ts';

/** A fault as it is planted in the ledger of a finished experiment, and what the audit's ledger check has to say of it. */
export interface PlantedLedgerFault {
  readonly fault: string;
  readonly plant: (copy: EvidenceCopy) => void;
  readonly told: RegExp;
}

/** The first answered call of the solver, by its key. */
const first = `(attempt_key, epoch, seq, retry_index) = (SELECT attempt_key, epoch, seq, retry_index FROM call
  WHERE state = 'settled' AND role = 'solver' ORDER BY 1, 2, 3 LIMIT 1)`;

const column = (fault: string, set: string, told: RegExp): PlantedLedgerFault => ({
  fault,
  plant: (copy) => copy.sql(`UPDATE call SET ${set} WHERE ${first}`),
  told,
});

const usage = (fault: string, change: Record<string, unknown>, told: RegExp): PlantedLedgerFault => ({
  fault,
  plant: (copy) =>
    copy.forge(
      ({ kind }) => kind === 'usage',
      (record) => ({ ...record, ...change }),
      'both',
    ),
  told,
});

/** An answer that says something else, with a digest of its own. */
function forgeAnswer(copy: EvidenceCopy, change: (body: string) => string): void {
  const database = new Database(copy.home.ledger);
  const { body } = database.prepare(`SELECT body FROM answer WHERE ${first}`).get([]) as { readonly body: string };
  database.close();
  const forged = change(body);
  if (forged === body) throw new Error('nothing to change in the answer');
  copy.sql(`UPDATE answer SET body = ? WHERE ${first}`, [forged]);
  const digest = createHash('sha256').update(forged).digest('hex');
  copy.sql(`UPDATE call SET response_sha256 = ? WHERE ${first}`, [digest]);
}

const rates = { input: 1_000_000, output: 2_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000 };
const otherPrice = JSON.stringify({ kind: 'rates', rates, longPrompt: null, asOf: '2026-01-01', source: 'forged' });

/** Another price for calls that fit, with the money that it gives, so that only the price itself is wrong. */
function reprice(copy: EvidenceCopy, which: string): void {
  copy.sql('INSERT INTO price (id, body) VALUES (999, ?)', [otherPrice]);
  copy.sql(
    `UPDATE call SET price = 999, micro_usd_reserved = reserved + output_cap,
       micro_usd_charged = iif(basis = 'reported', reported_input + 2 * reported_output, reserved + output_cap) WHERE ${which}`,
  );
}

/** Forged columns, answers, prices, totals, registrations and leases, one each. */
export const plantedLedgerFaults: readonly PlantedLedgerFault[] = [
  column('an input that its answer does not report', 'reported_input = reported_input + 1', /: reportedInput is /),
  column('an output that its answer does not report', 'reported_output = reported_output - 1', /: reportedOutput is /),
  column('cache reads that its answer does not report', 'cache_read = coalesce(cache_read, 0) + 1', /: cacheRead is /),
  column('cache writes that its answer does not report', 'cache_write = NULL', /: cacheWrite is /),
  column('reasoning that its answer does not report', 'reasoning = coalesce(reasoning, 0) + 1', /: reasoning is /),
  column('a served model that its answer does not name', "served_model = 'another'", /: servedModel is another, /),
  column('a charge that is not what was reported', 'charged = charged + 1', /: charged is /),
  column('a basis that is not that of its end', "basis = 'upperBound'", /: basis is upperBound, /),
  column(
    'an end that it had not',
    "state = 'unknown'",
    /: basis is reported, its answer, end and price give upperBound/,
  ),
  column('money that its price does not give', 'micro_usd_charged = 77', /: chargedMicroUsd is 77, /),
  column('money that is taken away', 'micro_usd_charged = NULL', /: chargedMicroUsd is null, /),
  column('a bound in money that its price does not give', 'micro_usd_reserved = 77', /: reservedMicroUsd is 77, /),
  column('an answer that it does not name', 'response_sha256 = NULL', /: an answer stands beside it /),
  {
    fault: 'an answer that is taken away with its digest',
    plant: (copy) => {
      copy.sql(`DELETE FROM answer WHERE ${first}`);
      copy.sql(`UPDATE call SET response_sha256 = NULL WHERE ${first}`);
    },
    told: /: no answer of it is kept/,
  },
  {
    fault: 'an answer that was forged with its digest',
    plant: (copy) => forgeAnswer(copy, (body) => body.replace('"outputTokens":', '"outputTokens":1')),
    told: /: reportedOutput is /,
  },
  {
    fault: 'an answer that is none, with its digest',
    plant: (copy) => forgeAnswer(copy, () => '{}'),
    told: /: its stored answer is none/,
  },
  {
    fault: 'a rejected call that costs something',
    plant: (copy) =>
      copy.sql(
        `UPDATE call SET state = 'rejected', basis = 'rejected', charged = 0, micro_usd_charged = 5 WHERE ${first}`,
      ),
    told: /: chargedMicroUsd is 5, its answer, end and price give 0/,
  },
  {
    fault: 'a call at another price',
    plant: (copy) =>
      reprice(copy, "reserved_at = (SELECT max(reserved_at) FROM call WHERE role = 'solver') AND role = 'solver'"),
    told: /calls of the solver were made at another price/,
  },
  {
    fault: 'all calls at another price',
    plant: (copy) => reprice(copy, "role = 'solver'"),
    told: /^(\d+) of \1 calls of the solver were made at another price/m,
  },
  {
    fault: 'a price that is gone',
    plant: (copy) => copy.sql(`UPDATE call SET price = 998 WHERE ${first}`),
    told: /: its price is gone/,
  },
  usage('a total of unknown ends', { unknownRows: 3 }, /: 3 unknownRows on record, 0 in the rows/),
  usage('a total charged to unknown ends', { unknownCharged: 3 }, /: 3 unknownCharged on record, 0 in the rows/),
  usage('a total of money', { microUsd: 3 }, /: 3 microUsd on record, /),
  usage('a total of calls without a price', { unpricedCalls: 3 }, /: 3 unpricedCalls on record, 0 in the rows/),
  usage('a total of served models', { served: [{ model: 'another', calls: 1 }] }, /: served by .*another/),
  {
    fault: 'an attempt that another model answered',
    plant: (copy) =>
      copy.forge(
        ({ kind }) => kind === 'attempt',
        (record) => ({ ...record, usage: { ...(record['usage'] as object), servedModels: ['another'] } }),
        'both',
      ),
    told: /: its record says that another answered, no row does/,
  },
  {
    fault: 'an attempt that cost more than its rows',
    plant: (copy) =>
      copy.forge(
        ({ kind }) => kind === 'attempt',
        (record) => ({ ...record, usage: { ...(record['usage'] as object), microUsdCharged: 10 ** 12 } }),
        'both',
      ),
    told: /: its record says 1000000000000 microUsdCharged, the rows /,
  },
  {
    fault: 'a registration that is missing',
    plant: (copy) => copy.sql('DELETE FROM experiment'),
    told: /^exp_\w+ is not registered in the ledger/m,
  },
  {
    fault: 'a registration of another config',
    plant: (copy) => copy.sql('UPDATE experiment SET config_digest = ?', ['f'.repeat(64)]),
    told: /was frozen, the ledger has ffffffff/,
  },
  {
    fault: 'a registration of another model',
    plant: (copy) => copy.sql("UPDATE experiment SET models = json_set(models, '$.updater.timeoutMs', 1)"),
    told: /the ledger has another model of the updater/,
  },
  {
    fault: 'a registration of other prices',
    plant: (copy) => copy.sql(`UPDATE experiment SET prices = json_set(prices, '$.solver', json(?))`, [otherPrice]),
    told: /the ledger has other prices/,
  },
  ...['solver', 'updater'].flatMap((role) =>
    ['calls_limit', 'tokens_limit', 'seed'].map((limit): PlantedLedgerFault => ({
      fault: `another ${limit} of a lease of the ${role}`,
      plant: (copy) =>
        copy.sql(
          `UPDATE lease SET ${limit} = ${limit} + 1 WHERE attempt_key = (SELECT key FROM attempt WHERE role = '${role}' LIMIT 1)`,
        ),
      told: limit === 'seed' ? /^the lease of \w+#1: its seed is /m : /^the lease of \w+#1: .* were frozen/m,
    })),
  ),
];
