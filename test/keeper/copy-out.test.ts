import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const keeper = fileURLToPath(new URL('../../src/keeper', import.meta.url));

const copy = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from file_copy import copy_tree, copy_trusted
from regular_files import Notes, ReadLimits
if sys.argv[4] == 'hostile':
    notes = Notes()
    files = copy_tree(sys.argv[2], sys.argv[3], ReadLimits(2000, 16, 1000, 3000), notes)
    print(json.dumps([[file['path'] for file in files], [[note['path'], note['reason']] for note in notes.entries]]))
else:
    try: print(len(copy_trusted(sys.argv[2], sys.argv[3])))
    except Exception as error: print(type(error).__name__, error)
`;

describe('the checked reader', () => {
  let root: string;
  let source: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'anneal-copy-'));
    source = join(root, 'source');
    mkdirSync(source);
    mkdirSync(join(root, 'target'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function run(trust: 'hostile' | 'trusted', target = 'target'): string {
    const parameters = ['-I', '-c', copy, keeper, source, join(root, target), trust];
    return execFileSync('/usr/bin/python3', parameters, { encoding: 'utf8', timeout: 5_000 }).trim();
  }

  it('leaves FIFOs out without waiting for a writer', () => {
    execFileSync('bash', ['-c', 'mkfifo a b c d'], { cwd: source });
    writeFileSync(join(source, 'file'), 'x');
    expect(JSON.parse(run('hostile'))).toEqual([['file'], ['a', 'b', 'c', 'd'].map((name) => [name, 'fifo'])]);
  });

  it('stops at the size of a file and at the size of all, apparent bytes counted', () => {
    for (const [name, bytes] of [
      ['a', 900],
      ['b', 900],
      ['c', 1001],
      ['d', 900],
      ['e', 900],
    ] as const) {
      writeFileSync(join(source, name), '');
      truncateSync(join(source, name), bytes);
    }
    expect(JSON.parse(run('hostile'))).toEqual([
      ['a', 'b', 'd'],
      [
        ['c', 'file_too_large'],
        ['e', 'total_too_large'],
      ],
    ]);
  });

  it('copies bytes and the right to execute, and gives no other rights away', () => {
    writeFileSync(join(source, 'script.sh'), 'echo\n', { mode: 0o4755 });
    writeFileSync(join(source, 'private'), 'p', { mode: 0o600 });
    run('hostile');
    const modes = execFileSync('stat', ['-c', '%a', join(root, 'target/private'), join(root, 'target/script.sh')]);
    expect(modes.toString()).toBe('644\n755\n');
    expect(readFileSync(join(root, 'target/script.sh'), 'utf8')).toBe('echo\n');
  });

  it('takes hard links of a trusted source, and refuses the whole of it for a link or a FIFO', () => {
    writeFileSync(join(source, 'file'), 'x');
    linkSync(join(source, 'file'), join(root, 'elsewhere'));
    expect(run('trusted', 'first')).toBe('1');
    symlinkSync('/etc/passwd', join(source, 'link'));
    expect(run('trusted', 'second')).toContain('UnfitSource');
    expect(run('trusted', 'third')).toContain(`'link' cannot be staged (symbolic_link)`);
  });
});
