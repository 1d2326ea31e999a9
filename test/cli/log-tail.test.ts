import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogTail } from '../../src/cli/log-tail.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
  file = join(folder, 'worker.log');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the tail of a log', () => {
  it('gives the last whole lines, then only what is new', () => {
    writeFileSync(file, 'one\ntwo\nthree\npar');
    const tail = new LogTail(file);
    expect(tail.last(2)).toEqual(['two', 'three']);
    appendFileSync(file, 'tial\nfour\n');
    expect(tail.fresh()).toEqual(['partial', 'four']);
    expect(tail.fresh()).toEqual([]);
  });

  it('gives a line whole however it was written: also cut within a character', () => {
    const [whole, euro] = [Buffer.from('12 €\n'), 4];
    writeFileSync(file, whole.subarray(0, euro));
    const tail = new LogTail(file);
    expect(tail.last(1)).toEqual([]);
    appendFileSync(file, whole.subarray(euro));
    expect(tail.fresh()).toEqual(['12 €']);
  });

  it('starts anew when the file became shorter', () => {
    writeFileSync(file, 'a long first line\n');
    const tail = new LogTail(file);
    tail.last(10);
    writeFileSync(file, 'new\n');
    expect(tail.fresh()).toEqual(['new']);
  });

  it('of a file that is not there is empty', () => {
    expect(new LogTail('/nowhere/x.log').last(5)).toEqual([]);
  });
});
