/** Version of the tables below; a ledger of another version is refused. */
export const LEDGER_VERSION = '3';

/**
 * What makes a ledger of an earlier version one of the next, by the version it has. Halts are lifted by whoever resumes, so
 * those of an earlier version are not carried over.
 */
export const LEDGER_UPGRADES: Readonly<Record<string, { readonly to: string; readonly sql: string }>> = {
  '2': {
    to: '3',
    sql: `
      DROP TABLE halt;
      CREATE TABLE halt (
        experiment TEXT NOT NULL REFERENCES experiment(id), role TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL,
        setting TEXT, since INTEGER NOT NULL, until INTEGER, PRIMARY KEY (experiment, role)
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE lease ADD COLUMN unserved_call INTEGER;
      ALTER TABLE lease ADD COLUMN unserved_code TEXT;`,
  },
};

/** All tables of the ledger. Integers are tokens, counts or epoch milliseconds. */
export const LEDGER_SQL = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE experiment (
  id TEXT PRIMARY KEY,
  config_digest TEXT NOT NULL,
  models TEXT NOT NULL,
  prices TEXT NOT NULL,
  registered_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE halt (
  experiment TEXT NOT NULL REFERENCES experiment(id),
  role TEXT NOT NULL,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  setting TEXT,
  since INTEGER NOT NULL,
  until INTEGER,
  PRIMARY KEY (experiment, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE budget (
  experiment TEXT NOT NULL REFERENCES experiment(id),
  kind TEXT NOT NULL CHECK (kind IN ('solver', 'updater', 'judge', 'queries')),
  limit_value INTEGER,
  PRIMARY KEY (experiment, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE budget_change (
  experiment TEXT NOT NULL REFERENCES experiment(id),
  request_id TEXT NOT NULL,
  arm TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('solver', 'updater', 'judge', 'queries')),
  delta INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (experiment, request_id)
) STRICT, WITHOUT ROWID;

-- Caps over all arms of an experiment; held is what a search has to leave of it. Tokens, or millionths of a dollar.
CREATE TABLE cap (
  experiment TEXT NOT NULL REFERENCES experiment(id),
  kind TEXT NOT NULL CHECK (kind IN ('solver-tokens', 'money')),
  limit_value INTEGER NOT NULL,
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  PRIMARY KEY (experiment, kind)
) STRICT, WITHOUT ROWID;

-- Prices that rows were made at; body is a ModelPrice as JSON.
CREATE TABLE price (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE) STRICT;

-- Running totals of the call rows of one role in one arm, kept in the transaction that changes a row.
CREATE TABLE balance (
  experiment TEXT NOT NULL,
  arm TEXT NOT NULL,
  role TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  rejected_rows INTEGER NOT NULL,
  unknown_rows INTEGER NOT NULL,
  reported INTEGER NOT NULL,
  charged INTEGER NOT NULL,
  unknown_charged INTEGER NOT NULL,
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  micro_usd INTEGER NOT NULL,
  micro_usd_reserved INTEGER NOT NULL CHECK (micro_usd_reserved >= 0),
  unpriced_rows INTEGER NOT NULL,
  PRIMARY KEY (experiment, arm, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (
  key TEXT PRIMARY KEY,
  experiment TEXT NOT NULL REFERENCES experiment(id),
  arm TEXT NOT NULL,
  role TEXT NOT NULL,
  epoch INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_experiment ON attempt (experiment);

CREATE TABLE lease (
  attempt_key TEXT NOT NULL REFERENCES attempt(key),
  epoch INTEGER NOT NULL,
  lease INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'fenced')),
  slot INTEGER NOT NULL,
  socket_name TEXT NOT NULL,
  socket_uid INTEGER,
  calls_limit INTEGER NOT NULL,
  tokens_limit INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  share TEXT NOT NULL CHECK (share IN ('search', 'final')),
  opened_at INTEGER NOT NULL,
  elapsed_before_ms INTEGER NOT NULL,
  elapsed_ms INTEGER NOT NULL DEFAULT 0,
  waited_ms INTEGER NOT NULL DEFAULT 0,
  diverged_at_call INTEGER,
  -- The last call that the gateway left without an answer, and why.
  unserved_call INTEGER,
  unserved_code TEXT,
  limit_hit TEXT CHECK (limit_hit IN ('calls', 'tokens', 'budget')),
  PRIMARY KEY (attempt_key, epoch)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX lease_open_slot ON lease (slot) WHERE state = 'open';

CREATE TABLE call (
  attempt_key TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  seq INTEGER NOT NULL CHECK (seq > 0),
  retry_index INTEGER NOT NULL CHECK (retry_index >= 0),
  role TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reserved', 'settled', 'unknown', 'rejected')),
  basis TEXT CHECK (basis IN ('reported', 'rejected', 'upperBound')),
  reserved INTEGER NOT NULL CHECK (reserved > 0),
  charged INTEGER CHECK (charged >= 0),
  price INTEGER NOT NULL REFERENCES price(id),
  micro_usd_reserved INTEGER CHECK (micro_usd_reserved >= 0),
  micro_usd_charged INTEGER CHECK (micro_usd_charged >= 0),
  reported_input INTEGER,
  reported_output INTEGER,
  cache_read INTEGER,
  cache_write INTEGER,
  reasoning INTEGER,
  output_cap INTEGER NOT NULL,
  streamed INTEGER NOT NULL,
  served_model TEXT,
  fault TEXT CHECK (fault IN ('infrastructure', 'agent')),
  code TEXT,
  detail TEXT,
  response_sha256 TEXT,
  reserved_at INTEGER NOT NULL,
  settled_at INTEGER,
  PRIMARY KEY (attempt_key, epoch, seq, retry_index),
  FOREIGN KEY (attempt_key, epoch) REFERENCES lease(attempt_key, epoch),
  CHECK ((state = 'reserved') = (charged IS NULL)),
  CHECK ((state = 'reserved') = (basis IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER call_is_kept BEFORE DELETE ON call
  BEGIN SELECT RAISE(ABORT, 'call rows are never deleted'); END;
CREATE TRIGGER call_changes_once BEFORE UPDATE ON call WHEN OLD.state <> 'reserved'
  BEGIN SELECT RAISE(ABORT, 'a call row changes once'); END;

-- The stored answer of a call; body is a RecordedAnswer as JSON.
CREATE TABLE answer (
  attempt_key TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  retry_index INTEGER NOT NULL,
  request_hash TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (attempt_key, epoch, seq)
) STRICT, WITHOUT ROWID;

-- A call of this epoch that was answered from an earlier one: counts against the attempt's limits, spends nothing.
CREATE TABLE replayed_call (
  attempt_key TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  source_epoch INTEGER NOT NULL,
  request_hash TEXT NOT NULL,
  requests INTEGER NOT NULL,
  charged INTEGER NOT NULL,
  PRIMARY KEY (attempt_key, epoch, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE effect (key TEXT PRIMARY KEY, kind TEXT NOT NULL, result TEXT NOT NULL) STRICT;

CREATE TABLE selection_query (
  experiment TEXT NOT NULL REFERENCES experiment(id),
  arm TEXT NOT NULL,
  revision_digest TEXT NOT NULL,
  selection_digest TEXT NOT NULL,
  query INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reserved', 'disclosed', 'released')),
  exact REAL,
  shown REAL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (experiment, arm, revision_digest, selection_digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
  experiment TEXT NOT NULL REFERENCES experiment(id),
  seq INTEGER NOT NULL,
  stream TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (experiment, seq),
  UNIQUE (experiment, stream, key)
) STRICT;
`;
