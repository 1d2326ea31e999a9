import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDataHome, dataHomeAt, locateDataHome } from '../../src/services/data-home.ts';

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
    createDataHome(home);
    createDataHome(home);
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect([mode(home.staging), mode(home.sockets), mode(join(home.controlSocket, '..'))]).toEqual([
      0o711, 0o711, 0o700,
    ]);
    rmSync(home.staging, { recursive: true });
  });

  test('has staging of its own, so that two on one machine never meet', () => {
    expect(dataHomeAt(join(root, 'a')).staging).not.toBe(dataHomeAt(join(root, 'b')).staging);
  });
});
