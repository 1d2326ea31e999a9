import {
  existsSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAnnealError } from '../../../src/domain/errors.ts';
import { createDataHome, dataHomeAt, locateDataHome } from '../../../src/services/data-home/data-home.ts';
import { removePidFile, writePidFile } from '../../../src/services/processes/pid-file.ts';
import { createStaging, removeStaging } from '../../../src/services/data-home/staging.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anneal-home-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the data home', () => {
  test('is the nearest .anneal at or above the working directory', () => {
    mkdirSync(join(root, '.anneal'));
    mkdirSync(join(root, 'deep', 'deeper'), { recursive: true });
    expect(locateDataHome(join(root, 'deep', 'deeper'), {}).root).toBe(join(root, '.anneal'));
    mkdirSync(join(root, 'deep', '.anneal'));
    expect(locateDataHome(join(root, 'deep', 'deeper'), {}).root).toBe(join(root, 'deep', '.anneal'));
  });

  test('is .anneal in the working directory where there is none above', () => {
    expect(locateDataHome(root, {}).root).toBe(join(root, '.anneal'));
  });

  test('is what ANNEAL_HOME says before anything else, relative to the working directory', () => {
    mkdirSync(join(root, '.anneal'));
    expect(locateDataHome(root, { ANNEAL_HOME: 'other' }).root).toBe(join(root, 'other'));
    expect(locateDataHome(root, { ANNEAL_HOME: '' }).root).toBe(join(root, '.anneal'));
  });

  test('keeps socket paths far below 108 bytes however long its own path is', () => {
    const home = dataHomeAt(join(root, 'long'.repeat(40)));
    expect(home.controlSocket.length).toBeLessThan(80);
    expect(join(home.sockets, 'f'.repeat(16), 'gateway.sock').length).toBeLessThan(100);
  });

  test('lets jail uids pass to its sockets and nobody else to its control socket', () => {
    const home = dataHomeAt(root);
    createStaging(home);
    createStaging(home);
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect([mode(home.staging), mode(home.sockets), mode(join(home.controlSocket, '..'))]).toEqual([
      0o711, 0o711, 0o700,
    ]);
    removeStaging(home);
    expect(existsSync(home.staging)).toBe(false);
    removeStaging(home);
  });

  test('needs no place for sockets as long as nothing is started', () => {
    const home = dataHomeAt(root);
    createDataHome(home);
    expect(existsSync(home.staging)).toBe(false);
  });

  test('keeps its sockets while its supervisor runs, and what a keeper uses for as long as that is there', () => {
    const home = dataHomeAt(root);
    createStaging(home);
    writePidFile(join(home.run, 'supervisor.pid'), process.pid);
    removeStaging(home);
    expect(existsSync(home.sockets)).toBe(true);
    removePidFile(join(home.run, 'supervisor.pid'));
    mkdirSync(join(home.staging, 'k', 'jail'), { recursive: true });
    removeStaging(home);
    expect([existsSync(home.sockets), existsSync(join(home.staging, 'k', 'jail'))]).toEqual([false, true]);
    rmSync(home.staging, { recursive: true });
  });

  test('is no file of that name above the working directory', () => {
    writeFileSync(join(root, '.anneal'), '');
    mkdirSync(join(root, 'deep'));
    expect(locateDataHome(join(root, 'deep'), {}).root).toBe(join(root, 'deep', '.anneal'));
  });

  test('has its sockets at one place for every shell, whatever TMPDIR says', () => {
    const before = process.env['TMPDIR'];
    const { staging } = dataHomeAt(root);
    process.env['TMPDIR'] = join(root, 'elsewhere'.repeat(20));
    expect(dataHomeAt(root).staging).toBe(staging);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });

  test.each([
    ['a file', (): string => fileIn(root), 'it is no folder'],
    ['below a file', (): string => join(fileIn(root), 'home'), 'it cannot be made (ENOTDIR)'],
    ['a device', (): string => '/dev/null', 'it is no folder'],
    ['below /proc', (): string => '/proc/anneal/home', 'it cannot be made (ENOENT)'],
    ['of a name too long', (): string => join(root, 'y'.repeat(300)), 'the path is too long'],
    ['a folder whose parts are files', (): string => homeWithFile(root), 'it is no folder'],
  ])('is refused as bad input, at once, where it is %s', (_, place, why) => {
    expect(refusalOf(() => createDataHome(dataHomeAt(place())))).toEqual({
      code: 'ANL-1018',
      exit: 2,
      why: expect.stringContaining(why),
    });
  });

  test('is refused while a link stands at its place for sockets', () => {
    const home = dataHomeAt(root);
    mkdirSync(join(root, 'foreign'));
    symlinkSync(join(root, 'foreign'), home.staging);
    const refusal = { code: 'ANL-1018', why: `${home.staging}: it belongs to somebody else; remove it first` };
    expect(refusalOf(() => createStaging(home))).toMatchObject(refusal);
    rmSync(home.staging, { recursive: true });
  });

  test.runIf(process.getuid?.() === 0)('is refused while its place for sockets belongs to another user', () => {
    const home = dataHomeAt(root);
    mkdirSync(home.staging);
    chownSync(home.staging, 65_534, 65_534);
    expect(refusalOf(() => createStaging(home)).why).toContain('it belongs to somebody else');
    rmSync(home.staging, { recursive: true });
  });

  test('has staging of its own, so that two on one machine never meet', () => {
    expect(dataHomeAt(join(root, 'a')).staging).not.toBe(dataHomeAt(join(root, 'b')).staging);
  });
});

function fileIn(folder: string): string {
  writeFileSync(join(folder, 'file'), '');
  return join(folder, 'file');
}

function homeWithFile(folder: string): string {
  writeFileSync(join(folder, 'blobs'), '');
  return folder;
}

function refusalOf(work: () => void): { code: string; exit: number; why: string | null } {
  try {
    work();
  } catch (error) {
    if (isAnnealError(error)) return { code: error.code, exit: error.exit, why: error.why };
    throw error;
  }
  throw new Error('it was accepted');
}
