import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNamedFolder, readNamedText } from '../../src/adapters/named-file.ts';
import { isAnnealError } from '../../src/domain/errors.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-named-'));
  writeFileSync(join(folder, 'plain'), 'täxt\n');
  writeFileSync(join(folder, 'latin'), Buffer.from('t\xe4xt', 'latin1'));
  writeFileSync(join(folder, 'sixteen'), Buffer.from('text', 'utf16le').fill(0xff, 0, 2));
  writeFileSync(join(folder, 'huge'), '');
  truncateSync(join(folder, 'huge'), 9 << 20);
  symlinkSync('loop', join(folder, 'loop'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});

afterAll(() => rmSync(folder, { recursive: true }));

function refusalOf(read: () => unknown): { code: string; why: string | null; exit: number } {
  try {
    read();
  } catch (error) {
    if (isAnnealError(error)) return { code: error.code, why: error.why, exit: error.exit };
    throw error;
  }
  throw new Error('it was read');
}

describe('a file that a person named', () => {
  test('is read as it is', () => {
    expect(readNamedText(join(folder, 'plain'))).toBe('täxt\n');
  });

  test.each([
    ['nothing', 'absent', 'ANL-1004', null],
    ['something below a file', 'plain/below', 'ANL-1004', null],
    ['a folder', '', 'ANL-1017', 'it is a folder'],
    ['a pipe that nobody writes', 'pipe', 'ANL-1017', 'it is a pipe'],
    ['a device without end', '/dev/zero', 'ANL-1017', 'it is a device'],
    ['more than 8 MiB', 'huge', 'ANL-1017', 'it holds 9.0 MiB, at most 8 are read'],
    ['Latin-1', 'latin', 'ANL-1017', 'it is not UTF-8 text'],
    ['UTF-16', 'sixteen', 'ANL-1017', 'it is not UTF-8 text'],
  ])('is refused as bad input when it is %s', (_, name, code, why) => {
    const file = name.startsWith('/') ? name : join(folder, name);
    expect(refusalOf(() => readNamedText(file))).toEqual({ code, why, exit: 2 });
  });

  test('is refused when it is a link to itself', () => {
    expect(refusalOf(() => readNamedText(join(folder, 'loop')))).toMatchObject({ code: 'ANL-1017' });
  });

  test('is shown with the place that names it', () => {
    const namedBy = { file: 'experiment.yaml', line: 7 };
    expect(() => readNamedText(folder, namedBy)).toThrow(expect.objectContaining({ at: [namedBy] }));
  });
});

describe('a folder that a person named', () => {
  test('lists its entries', () => {
    expect(readNamedFolder(folder).map(({ name }) => name)).toContain('pipe');
  });

  test.each([
    ['nothing', 'absent', 'ANL-1004'],
    ['a file', 'plain', 'ANL-1017'],
  ])('is refused when it is %s', (_, name, code) => {
    expect(refusalOf(() => readNamedFolder(join(folder, name)))).toMatchObject({ code, exit: 2 });
  });
});
