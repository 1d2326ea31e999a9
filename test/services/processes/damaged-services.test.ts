import { existsSync, renameSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/adapters/ledger.ts';
import { WholeRun } from '../../support/whole-run.ts';

let run: WholeRun;

beforeEach(() => {
  run = new WholeRun();
});

afterEach(() => run.remove());

const up = (): Promise<unknown> => run.engine.up(() => {});

describe('services over a damaged data home', () => {
  test('say that the database of Temporal is none, and start once it is moved away', async () => {
    writeFileSync(run.home.temporalDatabase, Buffer.alloc(40_960, 'no database'));
    await expect(up()).rejects.toMatchObject({
      code: 'ANL-5008',
      exit: 5,
      why: expect.stringContaining('not a database') as string,
      next: expect.stringContaining(`mv ${run.home.temporalDatabase}`) as string,
      notSpent: '0 tokens spent',
    });
    await run.engine.down({ now: false }, () => {});
    renameSync(run.home.temporalDatabase, `${run.home.temporalDatabase}.old`);
    for (const rest of ['-wal', '-shm']) {
      if (existsSync(`${run.home.temporalDatabase}${rest}`))
        renameSync(`${run.home.temporalDatabase}${rest}`, `${run.home.temporalDatabase}.old${rest}`);
    }
    expect(await up()).toMatchObject([{ state: 'running' }, { state: 'running' }, { state: 'running' }]);
  }, 120_000);

  test('say that the database of Temporal is of another version', async () => {
    const database = new Database(run.home.temporalDatabase);
    database.exec('CREATE TABLE namespaces (x INTEGER); CREATE TABLE executions (y INTEGER);');
    database.close();
    await expect(up()).rejects.toMatchObject({
      code: 'ANL-5008',
      why: expect.stringContaining('partition_id') as string,
    });
  });

  test('say that the ledger is of another version', async () => {
    openLedger(run.home.ledger).close();
    const database = new Database(run.home.ledger);
    database.exec("UPDATE meta SET value = '99' WHERE name = 'version'");
    database.close();
    await expect(up()).rejects.toMatchObject({
      code: 'ANL-2003',
      exit: 2,
      why: expect.stringContaining('format 99') as string,
    });
  });
});
