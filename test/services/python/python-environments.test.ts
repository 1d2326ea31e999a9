import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataHome, dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import {
  environmentDirectory,
  environmentFault,
  environmentLockDigest,
  environmentNames,
  isEnvironmentReady,
} from '../../../src/services/python/python-environments.ts';
import { packageRoot } from '../../../src/services/package-root.ts';

let folder: string;
let home: DataHome;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'environments-'));
  home = dataHomeAt(folder);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function lay(path: string, text = ''): void {
  const file = join(environmentDirectory(home, 'runner'), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function layWell(): void {
  lay('.locked', `${environmentLockDigest('runner')}\n`);
  lay('bin/python');
  lay('lib/python3.11/site-packages/minisweagent/__init__.py');
}

describe('a Python environment', () => {
  test('is absent before it is built', () => {
    expect(environmentFault(home, 'runner')).toBe('absent');
  });

  test('is well when it matches its lock and has what it cannot do without', () => {
    layWell();
    expect(environmentFault(home, 'runner')).toBeNull();
    expect(isEnvironmentReady(home, 'runner')).toBe(true);
  });

  test.each([
    [
      'a build that was cut short',
      () => rmSync(join(folder, 'python/runner/.locked')),
      'its installation was cut short',
    ],
    ['another lock', () => lay('.locked', 'x'), 'it was built from another lock'],
    ['no interpreter', () => rmSync(join(folder, 'python/runner/bin/python')), 'bin/python is missing'],
    [
      'an interpreter that was taken from the system',
      () => {
        rmSync(join(folder, 'python/runner/bin/python'));
        symlinkSync('/usr/bin/python-that-is-gone', join(folder, 'python/runner/bin/python'));
      },
      'bin/python is missing',
    ],
    [
      'a library that is gone',
      () => rmSync(join(folder, 'python/runner/lib/python3.11/site-packages/minisweagent'), { recursive: true }),
      'lib/*/site-packages/minisweagent/__init__.py is missing',
    ],
  ])('with %s is told and built anew', (_, damage, fault) => {
    layWell();
    damage();
    expect(environmentFault(home, 'runner')).toBe(fault);
    expect(isEnvironmentReady(home, 'runner')).toBe(false);
  });

  test('as it is built from each lock has nothing to complain of', () => {
    symlinkSync(join(packageRoot, '.anneal-test', 'python'), join(folder, 'python'));
    expect(environmentNames.map((name) => environmentFault(home, name))).toEqual([null, null, null]);
  });
});
