import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';

interface Waiting {
  readonly run: () => void;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Runs works that are asked for in one turn of the event loop in one transaction, so that they share one write to the
 * disk. Each promise resolves after that write. A work that throws is undone alone; if the commit fails, all fail.
 */
export function createSharedCommit(database: LedgerDatabase): <Result>(work: () => Result) => Promise<Result> {
  let waiting: Waiting[] = [];

  const commit = (): void => {
    const batch = waiting;
    waiting = [];
    const ends: (() => void)[] = [];
    try {
      inTransaction(database, () => {
        for (const { run, done, fail } of batch) {
          try {
            // Alone it is undone with the whole transaction.
            if (batch.length === 1) run();
            else inTransaction(database, run);
            ends.push(done);
          } catch (error) {
            // A full disk ends the whole transaction: nothing of it was written, and nothing more may be.
            if (batch.length === 1 || !database.inTransaction) throw error;
            ends.push(() => fail(error));
          }
        }
      });
    } catch (error) {
      for (const { fail } of batch) fail(error);
      return;
    }
    for (const end of ends) end();
  };

  return <Result>(work: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      let result: { value: Result } | null = null;
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({
        run: () => {
          result = { value: work() };
        },
        done: () => {
          if (result !== null) resolve(result.value);
        },
        fail: reject,
      });
    });
}
