import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesDigest, listTree, treeDigest } from '../../src/adapters/tree-digest.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-tree-'));
  mkdirSync(join(folder, 'b'));
  writeFileSync(join(folder, 'a'), '1');
  writeFileSync(join(folder, 'b', 'c'), '2');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the digest of a folder', () => {
  test('does not mind times, modes and caches', () => {
    const before = treeDigest(folder);
    utimesSync(join(folder, 'a'), 0, 0);
    chmodSync(join(folder, 'a'), 0o755);
    mkdirSync(join(folder, 'b', '__pycache__'));
    writeFileSync(join(folder, 'b', '__pycache__', 'x.pyc'), 'x');
    writeFileSync(join(folder, '.DS_Store'), 'x');
    mkdirSync(join(folder, '.ruff_cache'));
    writeFileSync(join(folder, '.ruff_cache', 'x'), 'x');
    expect(treeDigest(folder)).toBe(before);
    expect(listTree(folder)).toEqual(['a', 'b/c']);
  });

  test('changes with a byte, a name, a place and an empty file', () => {
    const seen = new Set([treeDigest(folder)]);
    writeFileSync(join(folder, 'a'), '0');
    seen.add(treeDigest(folder));
    writeFileSync(join(folder, 'd'), '');
    seen.add(treeDigest(folder));
    rmSync(join(folder, 'd'));
    mkdirSync(join(folder, 'e'));
    writeFileSync(join(folder, 'e', 'd'), '');
    seen.add(treeDigest(folder));
    expect(seen.size).toBe(4);
  });

  test('tells where one file ends and the next begins', () => {
    const bytes = fc.uint8Array({ maxLength: 12 });
    fc.assert(
      fc.property(bytes, bytes, fc.nat(12), (left, right, cut) => {
        const moved = Buffer.concat([left, right]);
        const at = Math.min(cut, moved.length);
        fc.pre(at !== left.length);
        const one = filesDigest([
          ['a', left],
          ['b', right],
        ]);
        expect(
          filesDigest([
            ['a', moved.subarray(0, at)],
            ['b', moved.subarray(at)],
          ]),
        ).not.toBe(one);
      }),
    );
  });
});
