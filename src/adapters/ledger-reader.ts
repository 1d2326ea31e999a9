import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { z } from 'zod';
import { byteDigest } from './byte-digest.ts';
import { AnnealError } from '../domain/errors.ts';
import type { LedgerReader } from '../contract/ledger-reader.ts';
import { CallRow } from '../schema/call-row.ts';
import { BudgetKind, CapUsage, ExperimentRegistration } from '../schema/gateway.ts';
import { LeaseRequest } from '../schema/lease.ts';
import { ArmName, HarnessDigest } from '../schema/ids.ts';
import { ModelPrice } from '../schema/prices.ts';
import { CALL_COLUMNS, StoredCallRow, parseCallRows } from './ledger/call-rows.ts';
import { createEffects } from './ledger/effects.ts';
import { createLeaseUsage } from './ledger/lease-usage.ts';
import { metaValue } from './ledger/open-database.ts';
import { createRecords } from './ledger/records.ts';
import { LEDGER_VERSION } from './ledger/schema-sql.ts';
import { createUsage } from './ledger/usage.ts';

const page = 5_000;

const EpochRow = z.object({
  attemptKey: LeaseRequest.shape.attemptKey,
  epoch: z.number(),
  arm: LeaseRequest.shape.arm,
  role: LeaseRequest.shape.role,
  lease: z.number(),
  state: z.enum(['open', 'closed', 'fenced']),
  openedAt: z.number(),
  elapsedMs: z.number(),
  elapsedBeforeMs: z.number(),
  callsLimit: z.number(),
  tokensLimit: z.number(),
  seed: z.number(),
  share: LeaseRequest.shape.share.unwrap(),
});

const BookedRow = StoredCallRow.extend({ priceBody: z.string().nullable(), answer: z.string().nullable() });

const RegisteredRow = z.object({ configDigest: z.string(), models: z.string(), prices: z.string() }).optional();
const Registration = ExperimentRegistration.pick({ configDigest: true, models: true, prices: true });

const QueryRow = z.object({
  arm: ArmName,
  revision: HarnessDigest,
  query: z.number(),
  state: z.enum(['reserved', 'disclosed', 'released']),
  exact: z.number().nullable(),
  shown: z.number().nullable(),
});

const LimitRow = z.object({ kind: z.union([BudgetKind, CapUsage.shape.kind]), limit: z.number().nullable() });

const GrantRow = z.object({ arm: ArmName, kind: BudgetKind, delta: z.number() });

const AnswerRow = z.object({
  attempt_key: z.string(),
  epoch: z.number(),
  seq: z.number(),
  stated: CallRow.shape.responseSha256,
  body: z.string().nullable(),
});

/**
 * The ledger as it stands on disk, for whoever looks at what happened; the gateway may own it meanwhile, and nothing is ever
 * written. @throws AnnealError ANL-6001 when there is none, ANL-2003 for one of another version.
 */
export function openLedgerReader(path: string): LedgerReader {
  if (!existsSync(path)) throw new AnnealError('ANL-6001', { object: 'the ledger' }, { why: `${path} is missing` });
  const database = new Database(path, { timeout: 5000 });
  database.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 5000;');
  const found = metaValue(database, 'version') ?? 'unknown';
  if (found !== LEDGER_VERSION) {
    database.close();
    throw new AnnealError(
      'ANL-2003',
      { home: dirname(path), found },
      { why: `its ledger has format ${found}, this program reads ${LEDGER_VERSION}` },
    );
  }
  const { audit, listCalls } = createUsage(
    database,
    () => null,
    () => [],
    () => [],
  );
  const { listRecords } = createRecords(database);
  const { getEffect } = createEffects(database);
  const epochs = database.prepare(
    `SELECT l.attempt_key AS attemptKey, l.epoch, a.arm, a.role, l.lease, l.state, l.opened_at AS openedAt,
       l.elapsed_ms AS elapsedMs, l.elapsed_before_ms AS elapsedBeforeMs, l.calls_limit AS callsLimit,
       l.tokens_limit AS tokensLimit, l.seed, l.share
     FROM lease l JOIN attempt a ON a.key = l.attempt_key WHERE a.experiment = ? ORDER BY l.attempt_key, l.epoch`,
  );
  const calls = database.prepare(
    `SELECT ${CALL_COLUMNS} FROM call c WHERE c.attempt_key = ? ORDER BY c.epoch, c.seq, c.retry_index`,
  );
  const booked = database.prepare(
    `SELECT ${CALL_COLUMNS}, p.body AS priceBody, n.body AS answer FROM attempt a CROSS JOIN call c ON c.attempt_key = a.key
     LEFT JOIN price p ON p.id = c.price LEFT JOIN answer n ON n.attempt_key = c.attempt_key AND n.epoch = c.epoch
       AND n.seq = c.seq AND n.retry_index = c.retry_index
     WHERE a.experiment = ?1 AND a.role = coalesce(?2, a.role)
     ORDER BY c.attempt_key, c.epoch, c.seq, c.retry_index`,
  );
  const registered = database.prepare(
    'SELECT config_digest AS configDigest, models, prices FROM experiment WHERE id = ?',
  );
  const queries = database.prepare(
    `SELECT arm, revision_digest AS revision, query, state, exact, shown FROM selection_query
     WHERE experiment = ? ORDER BY arm, query`,
  );
  const cap = database.prepare(
    `SELECT limit_value + coalesce((SELECT sum(delta) FROM budget_change c
       WHERE c.experiment = b.experiment AND c.arm = ? AND c.kind = 'queries'), 0) AS cap
     FROM budget b WHERE experiment = ? AND kind = 'queries'`,
  );
  const limits = database.prepare(
    `SELECT kind, limit_value AS "limit" FROM budget WHERE experiment = ?1
     UNION ALL SELECT kind, limit_value FROM cap WHERE experiment = ?1`,
  );
  const grants = database.prepare(
    'SELECT arm, kind, sum(delta) AS delta FROM budget_change WHERE experiment = ? GROUP BY arm, kind',
  );
  const answers = database.prepare(
    `SELECT c.attempt_key, c.epoch, c.seq, c.response_sha256 AS stated, n.body FROM attempt a
     JOIN call c ON c.attempt_key = a.key LEFT JOIN answer n ON n.attempt_key = c.attempt_key AND n.epoch = c.epoch
       AND n.seq = c.seq AND n.retry_index = c.retry_index
     WHERE a.experiment = ? AND c.response_sha256 IS NOT NULL`,
  );
  return {
    standStill: () => {
      database.exec('BEGIN');
      // A snapshot begins with the first read.
      metaValue(database, 'version');
    },
    audit,
    *calls(id) {
      for (let after: CallRow | null = null; ;) {
        const rows: readonly CallRow[] = listCalls(id, after, page);
        yield* rows;
        if (rows.length < page) return;
        after = rows.at(-1) ?? null;
      }
    },
    *bookedCalls(id, role) {
      for (const stored of booked.iterate([id, role ?? null])) {
        const { priceBody, answer, ...row } = BookedRow.parse(stored);
        yield { row, price: priceBody === null ? null : ModelPrice.parse(JSON.parse(priceBody)), answer };
      }
    },
    registered: (id) => {
      const row = RegisteredRow.parse(registered.get([id]));
      if (row === undefined) return null;
      const { configDigest, models, prices } = row;
      return Registration.parse({ configDigest, models: JSON.parse(models), prices: JSON.parse(prices) });
    },
    callsOf: (attemptKey) => parseCallRows(calls.all([attemptKey])),
    epochs: (id) => EpochRow.array().parse(epochs.all([id])),
    usageOf: createLeaseUsage(database),
    effect: (key) => {
      const lookup = getEffect(key);
      return lookup.kind === 'found' ? lookup.effect.result : null;
    },
    queries: (id) => QueryRow.array().parse(queries.all([id])),
    limits: (id) =>
      new Map(
        LimitRow.array()
          .parse(limits.all([id]))
          .map(({ kind, limit }) => [kind, limit]),
      ),
    grants: (id) => GrantRow.array().parse(grants.all([id])),
    queryCap: (id, arm) =>
      z
        .object({ cap: z.number() })
        .optional()
        .parse(cap.get([arm, id]))?.cap ?? 0,
    damagedAnswers: (id) => {
      const damaged: string[] = [];
      for (const row of answers.iterate([id])) {
        const { attempt_key: key, epoch, seq, stated, body } = AnswerRow.parse(row);
        const digest = body === null ? null : byteDigest(body);
        if (digest !== stated) damaged.push(`${key.slice(0, 12)}#${epoch} call ${seq}`);
      }
      return damaged;
    },
    records: (id) => {
      const all = [];
      for (let since = 0; ;) {
        const rows = listRecords({ experimentId: id, since, limit: page });
        all.push(...rows);
        if (rows.length < page) return all;
        since = rows.at(-1)?.seq ?? since;
      }
    },
    close: () => database.close(),
  };
}
