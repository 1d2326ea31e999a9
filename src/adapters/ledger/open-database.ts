import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { AnnealError } from '../../domain/errors.ts';
import { tryProcessLock } from '../process-lock.ts';
import { LEDGER_SQL, LEDGER_UPGRADES, LEDGER_VERSION } from './schema-sql.ts';

/** A gateway that was told to stop lets go of its ledger within this time. */
const ownerWaitMs = 2_000;

/** The library's handle; every call on it is synchronous. */
export type LedgerDatabase = Database.Database;

/** A ledger that this process owns until `close`. */
export interface OpenedLedger {
  readonly database: LedgerDatabase;
  /** Random per ledger; bearer tokens and socket names are derived from it. */
  readonly secret: Buffer;
  readonly close: () => void;
}

/**
 * Opens or creates the ledger file, mode 0600, as its only owner: a second process (or a second call) is refused with
 * ANL-5007 until the first has ended, however it ended. A file of an earlier version is brought up to date; one of any other
 * version: ANL-2003.
 */
export function openDatabase(path: string): OpenedLedger {
  const lock = tryProcessLock(`${path}-owner`, ownerWaitMs);
  if (lock === null) {
    const why = `another gateway owns the ledger in ${dirname(path)}`;
    throw new AnnealError('ANL-5007', { service: 'gateway' }, { why });
  }
  closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path, { timeout: 5000 });
  try {
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;',
    );
    createTables(database, path);
    const secret = Buffer.from(metaValue(database, 'secret') ?? '', 'hex');
    return {
      database,
      secret,
      close: () => {
        database.close();
        lock.release();
      },
    };
  } catch (error) {
    database.close();
    lock.release();
    throw error;
  }
}

/**
 * Runs `work` as one durable transaction, begun IMMEDIATE; a throw undoes everything it wrote. Within another one it
 * becomes a part of that, durable when the outer one is, and is undone alone.
 */
export function inTransaction<Result>(database: LedgerDatabase, work: () => Result): Result {
  // The library ends the whole process when a closed database is asked anything.
  if (!database.open) throw new Error('the ledger is closed');
  const [begin, commit, rollback] = database.inTransaction ? NESTED : OUTERMOST;
  database.exec(begin);
  try {
    const result = work();
    database.exec(commit);
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec(rollback);
    throw error;
  }
}

const OUTERMOST = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'] as const;
const NESTED = ['SAVEPOINT part', 'RELEASE part', 'ROLLBACK TO part; RELEASE part'] as const;

/** A fact about the ledger itself, such as its version; null where it was never written. */
export function metaValue(database: LedgerDatabase, name: string): string | null {
  const row = database.prepare('SELECT value FROM meta WHERE name = ?').get([name]) as { value: string } | undefined;
  return row?.value ?? null;
}

function createTables(database: LedgerDatabase, path: string): void {
  const exists = database.prepare("SELECT 1 AS found FROM sqlite_master WHERE name = 'meta'").get([]) !== undefined;
  if (!exists) {
    inTransaction(database, () => {
      database.exec(LEDGER_SQL);
      const insert = database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
      insert.run(['version', LEDGER_VERSION]);
      insert.run(['secret', randomBytes(32).toString('hex')]);
    });
    return;
  }
  const found = upgraded(database, metaValue(database, 'version') ?? 'unknown');
  if (found !== LEDGER_VERSION) {
    throw new AnnealError(
      'ANL-2003',
      { home: dirname(path), found },
      { why: `its ledger has format ${found}, this program writes ${LEDGER_VERSION}` },
    );
  }
}

/** The version after every step that is known; each step is one transaction. */
function upgraded(database: LedgerDatabase, version: string): string {
  const step = LEDGER_UPGRADES[version];
  if (step === undefined) return version;
  inTransaction(database, () => {
    database.exec(step.sql);
    database.prepare("UPDATE meta SET value = ? WHERE name = 'version'").run([step.to]);
  });
  return upgraded(database, step.to);
}
