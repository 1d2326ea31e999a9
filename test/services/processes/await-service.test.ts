import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AnnealError } from '../../../src/domain/errors.ts';
import { awaitService } from '../../../src/services/processes/await-service.ts';
import { type DataHome, createDataHome, dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import { readEnds, writeEnds } from '../../../src/services/processes/service-ends.ts';
import type { ServiceName } from '../../../src/services/processes/service-specification.ts';

const noTable = 'Error: failed starting server: SQL logic error: no such table: executions (1)';
const locked = 'Error: failed starting server: unable to create SQLite admin DB: database is locked (5)';
const told = JSON.stringify(new AnnealError('ANL-2003', { file: 'ledger.db' } as never, { why: 'format 99' }));
const tellsAgain = JSON.stringify(new AnnealError('ANL-5007', { service: 'gateway' }, { why: 'somebody has it' }));

let home: DataHome;

beforeEach(() => {
  home = dataHomeAt(realpathSync(mkdtempSync(join(tmpdir(), 'anneal-await-'))));
  createDataHome(home);
});

afterEach(() => rmSync(home.root, { recursive: true, force: true }));

const endsWith = (service: ServiceName, words: string, ends: number): void => {
  writeFileSync(join(home.logs, `${service}.log`), `started\n${words}\n`);
  writeEnds(join(home.run, `${service}.pid`), ends);
};
/** Ends once more each time it is asked, and answers only the fourth time. */
const answersAtLast = (service: ServiceName, words: string): (() => Promise<boolean>) => {
  let asked = 0;
  return async () => {
    endsWith(service, words, (asked += 1));
    return asked === 4;
  };
};
const never = async (): Promise<boolean> => false;

describe('a service that ends before it answers', () => {
  test.each([
    ['temporal', 'a database that is of another version', noTable, 'ANL-5008', 'no such table'],
    ['gateway', 'an error of the table', told, 'ANL-2003', 'format 99'],
  ] as const)('%s: is given up the first time it ends with %s', async (service, _, words, code, why) => {
    const before = readEnds(home);
    endsWith(service, words, 1);
    await expect(awaitService(home, service, before, never)).rejects.toMatchObject({
      code,
      why: expect.stringContaining(why) as string,
    });
  });

  test.each([
    ['temporal', 'a file that somebody else has', locked],
    ['gateway', 'an error that another start may not have', tellsAgain],
    ['worker', 'words that nobody knows', 'Segmentation fault'],
  ] as const)('%s: is waited for when it ends with %s', async (service, _, words) => {
    await expect(awaitService(home, service, readEnds(home), answersAtLast(service, words))).resolves.toBeUndefined();
  });

  test('is given up with its last words when it has ended five times, whatever it ended with', async () => {
    const before = readEnds(home);
    endsWith('worker', 'Segmentation fault', 5);
    await expect(awaitService(home, 'worker', before, never)).rejects.toMatchObject({
      code: 'ANL-5007',
      why: 'it ended 5 times after its start; its last words: Segmentation fault',
    });
  });

  test('is not given up for what it ended with before this start', async () => {
    endsWith('temporal', noTable, 7);
    let asked = 0;
    const answers = async (): Promise<boolean> => (asked += 1) === 4;
    await expect(awaitService(home, 'temporal', readEnds(home), answers)).resolves.toBeUndefined();
  });
});
