import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildPolicyBook, readPolicyBook, writePolicyBook } from '../../src/adapters/policy-book.ts';
import type { PolicySource } from '../../src/adapters/policy-book.ts';
import { sha256Of } from '../../src/domain/sha256.ts';
import type { TaskId } from '../../src/schema/ids.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'policy-book-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function taskWith(name: string, files: Record<string, string>, instruction = `Do  the\n${name} work.\n`): PolicySource {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { id: `fixture/${name}` as TaskId, path: join(root, name), instruction, modality: 'document' };
}

const packFiles = { 'solution/solve.py': 'good', 'replays/trap.py': 'trap' };

describe('the policy book', () => {
  it('takes the trap of a pack task and the careless script of an imported one, in id order', () => {
    const imported = taskWith('z-import', { 'solution/solve.py': 'key', 'solution/careless.py': 'wrong' });
    const { policies } = buildPolicyBook([imported, taskWith('a-pack', packFiles)]);
    expect(policies).toMatchObject([
      { taskId: 'fixture/a-pack', origin: 'pack', careful: 'good', careless: 'trap', modality: 'document' },
      { taskId: 'fixture/z-import', origin: 'imported', careful: 'key', careless: 'wrong' },
    ]);
  });

  it('compares instructions without regard to white space', () => {
    const { policies } = buildPolicyBook([taskWith('one', packFiles)]);
    expect(policies[0]).toMatchObject({
      instruction: 'Do the one work.',
      instructionDigest: sha256Of('Do the one work.'),
    });
  });

  it.each([
    ['"""Typical failure: told. anneal-canary-0a1b2c3d"""\n\nimport os\n', 'import os\n'],
    ['\n"""Over\ntwo lines."""\nx = """kept"""\n', 'x = """kept"""\n'],
    ['import os  # anneal-canary-0a1b2c3d\n', 'import os  # \n'],
    ['print(1)\n', 'print(1)\n'],
  ])('leaves docstring and canary out of the script %j', (text, played) => {
    const files = { 'solution/solve.py': text, 'replays/trap.py': text };
    expect(buildPolicyBook([taskWith('one', files)]).policies).toMatchObject([{ careful: played, careless: played }]);
  });

  it.each(['solution/solve.py', 'replays/trap.py'] as const)('refuses a task without %s', (missing) => {
    const files = Object.fromEntries(Object.entries(packFiles).filter(([path]) => path !== missing));
    expect(() => buildPolicyBook([taskWith('one', files)])).toThrow(expect.objectContaining({ code: 'ANL-1203' }));
  });

  it('refuses two tasks with one instruction', () => {
    const sources = ['one', 'two'].map((name) => taskWith(name, packFiles, 'The same.'));
    expect(() => buildPolicyBook(sources)).toThrow(
      expect.objectContaining({ code: 'ANL-1203', why: expect.stringContaining('fixture/one') }),
    );
  });

  it('reads back what was written, from a file that only its owner can read', () => {
    const file = join(root, 'sealed', 'policies.json');
    const book = buildPolicyBook([taskWith('one', packFiles)]);
    writePolicyBook(file, book);
    writePolicyBook(file, book);
    expect(readPolicyBook(file)).toEqual(book);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{"version": 2, "policies": []}'])('refuses a damaged file (%j)', (text) => {
    const file = join(root, 'policies.json');
    writeFileSync(file, text);
    expect(() => readPolicyBook(file)).toThrow(expect.objectContaining({ code: 'ANL-6008' }));
  });
});
