import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

describeAtEachLevel('an attempt', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  it('starts from its inputs, runs commands over one working directory, and hands every file back', async () => {
    const source = await jails.folder('inputs', { 'a.txt': 'old', 'sub/b.txt': 'same' });
    const { done, directory, commands } = await jails.run(
      `print(run('cat a.txt; echo new > a.txt; mkdir -p made; echo c > made/c.txt', 5))
run('pwd; cat a.txt; id -u', 5)`,
      { inputs: [{ source, path: '.' }] },
    );
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
    expect(done.level).toBe(level.name);
    expect(done.files.map(({ path, changed }) => [path, changed])).toEqual([
      ['a.txt', true],
      ['made/c.txt', true],
      ['sub/b.txt', false],
    ]);
    expect(await readFile(join(directory, 'out/work/a.txt'), 'utf8')).toBe('new\n');
    expect(commands.map(({ output, returncode }) => [output, returncode])).toEqual([
      ['old', 0],
      ['/app\nnew\n1000\n', 0],
    ]);
  });

  it('shows every input with the same time, whenever and wherever it was laid down', async () => {
    const source = await jails.folder('dated', { 'a.txt': 'a', 'sub/b.txt': 'b' });
    const file = await jails.folder('single', { 'c.txt': 'c' });
    const { commands } = await jails.run(`run("find . -type f -printf '%P %TY-%Tm-%Td\\\\n' | sort", 5)`, {
      inputs: [
        { source, path: '.' },
        { source: join(file, 'c.txt'), path: 'more/c.txt' },
      ],
    });
    expect(commands.map(({ output }) => output)).toEqual([
      'a.txt 2000-01-01\nmore/c.txt 2000-01-01\nsub/b.txt 2000-01-01\n',
    ]);
  });

  it('takes the outcome and trajectory of the harness as text and files', async () => {
    const { done, directory } = await jails.run(
      `open('/out/outcome.json', 'w').write('{"exit_status": "Submitted"}')
open('/out/trajectory.json', 'w').write('[]')`,
    );
    expect(done.outcomeText).toBe('{"exit_status": "Submitted"}');
    expect(await readFile(join(directory, 'out/harness/trajectory.json'), 'utf8')).toBe('[]');
  });
});
