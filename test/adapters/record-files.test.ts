import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RecordFiles, type NumberedRecord } from '../../src/adapters/record-files.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-records-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const open = (): RecordFiles => new RecordFiles(join(folder, 'records'), join(folder, 'sealed'));
const record = (seq: number, sealed = false, kind = 'attempt'): NumberedRecord => ({
  seq,
  sealed,
  body: { kind, n: seq },
});
const lines = (path: string): unknown[] =>
  readFileSync(join(folder, path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('the record files of an experiment', () => {
  test('hold a line per record, sealed ones apart, each kind in its file', async () => {
    await open().append([record(1), record(2, true), record(3, true, 'query'), record(4, false, 'usage')]);
    expect(readdirSync(join(folder, 'records')).toSorted()).toEqual(['attempts.jsonl', 'usage.jsonl']);
    expect(readdirSync(join(folder, 'sealed')).toSorted()).toEqual(['attempts.jsonl', 'queries.jsonl']);
    expect(lines('sealed/queries.jsonl')).toEqual([{ seq: 3, kind: 'query', n: 3 }]);
  });

  test('take a record once, however often it is given and by whichever process', async () => {
    const first = open();
    await first.append([record(1), record(2)]);
    await first.append([record(1), record(2), record(3)]);
    await open().append([record(2), record(3), record(4)]);
    expect(lines('records/attempts.jsonl')).toEqual([1, 2, 3, 4].map((n) => ({ seq: n, kind: 'attempt', n })));
  });

  test('lose a line that was cut in the middle and get it again whole', async () => {
    await open().append([record(1), record(2)]);
    appendFileSync(join(folder, 'records', 'attempts.jsonl'), '{"seq":3,"kind":"att');
    const again = open();
    expect(await again.lastSeq()).toBe(2);
    await again.append([record(3)]);
    expect(lines('records/attempts.jsonl')).toHaveLength(3);
  });

  test('are written again in full after they were deleted', async () => {
    await open().append([record(1), record(2, false, 'decision')]);
    rmSync(join(folder, 'records'), { recursive: true });
    const again = open();
    expect(await again.lastSeq()).toBe(0);
    await again.append([record(1), record(2, false, 'decision')]);
    expect([lines('records/attempts.jsonl'), lines('records/decisions.jsonl')].flat()).toHaveLength(2);
  });

  test.each([
    [
      'their folders are',
      (): void => ['records', 'sealed'].forEach((name) => rmSync(join(folder, name), { recursive: true })),
    ],
    ['one of them is', (): void => rmSync(join(folder, 'records', 'attempts.jsonl'))],
    ['the end of one is', (): void => truncateSync(join(folder, 'records', 'attempts.jsonl'), 40)],
    ['all of one is', (): void => truncateSync(join(folder, 'sealed', 'attempts.jsonl'))],
  ])('are whole again with the next record when %s cut away under a process that goes on', async (_, damage) => {
    const files = open();
    const all = [record(1), record(2, true), record(3), record(4, false, 'decision')];
    await files.append(all);
    damage();
    await files.append([...all, record(5)]);
    expect(await files.lastSeq()).toBe(5);
    const seqs = ['records/attempts.jsonl', 'sealed/attempts.jsonl', 'records/decisions.jsonl'].flatMap(lines);
    expect(seqs.map((line) => (line as { seq: number }).seq).toSorted((left, right) => left - right)).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  test('say what is missing once somebody cut them, not what they once held', async () => {
    const files = open();
    await files.append([record(1), record(2), record(3)]);
    rmSync(join(folder, 'records'), { recursive: true });
    expect(await files.lastSeq()).toBe(0);
  });

  test('set a file with a damaged line aside and write it anew', async () => {
    await open().append([record(1), record(2), record(3, true)]);
    const path = join(folder, 'records', 'attempts.jsonl');
    writeFileSync(path, `${readFileSync(path, 'utf8')}no record\n`);
    const again = open();
    expect(await again.lastSeq()).toBe(0);
    await again.append([record(1), record(2), record(3, true)]);
    expect(lines('records/attempts.jsonl')).toHaveLength(2);
    expect(lines('sealed/attempts.jsonl')).toHaveLength(1);
    expect(readdirSync(join(folder, 'records')).filter((name) => name.endsWith('.damaged'))).toHaveLength(1);
  });

  test('miss nothing after a kill between two files of one append', async () => {
    await open().append([record(1), record(2, true), record(3)]);
    // The sealed record reached its file, those before and after it did not.
    writeFileSync(join(folder, 'records', 'attempts.jsonl'), '');
    const again = open();
    expect(await again.lastSeq()).toBe(0);
    await again.append([record(1), record(2, true), record(3), record(4, true)]);
    expect(await again.lastSeq()).toBe(4);
    expect(lines('records/attempts.jsonl')).toEqual([1, 3].map((n) => ({ seq: n, kind: 'attempt', n })));
    expect(lines('sealed/attempts.jsonl')).toEqual([2, 4].map((n) => ({ seq: n, kind: 'attempt', n })));
  });

  test('take a record again that could not be written', async () => {
    const files = open();
    await files.append([record(1)]);
    mkdirSync(join(folder, 'records', 'decisions.jsonl'));
    await expect(files.append([record(2), record(3, false, 'decision')])).rejects.toThrow('EISDIR');
    rmSync(join(folder, 'records', 'decisions.jsonl'), { recursive: true });
    await files.append([record(2), record(3, false, 'decision')]);
    expect(lines('records/attempts.jsonl')).toHaveLength(2);
    expect(await files.lastSeq()).toBe(3);
  });

  test('stand open after the seal is broken, and later sealed records join them', async () => {
    const files = open();
    await files.append([record(1), record(2, true)]);
    await files.openSealed();
    await files.openSealed();
    expect(existsSync(join(folder, 'sealed', 'attempts.jsonl'))).toBe(false);
    expect(lines('records/attempts.opened.jsonl')).toEqual([{ seq: 2, kind: 'attempt', n: 2 }]);
    await open().append([record(3, true)]);
    expect(readdirSync(join(folder, 'sealed'))).toEqual([]);
    expect(await open().lastSeq()).toBe(3);
  });
});
