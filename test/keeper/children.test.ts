import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

describeAtEachLevel('what bubblewrap leaves to its keeper', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  /** A bubblewrap that is killed in a command's set-up, the given number of times, with a fork that holds the output. */
  async function killed(name: string, times: number): Promise<string> {
    const marks = join(jails.root, `marks-${name}`);
    await mkdir(marks);
    await chmod(marks, 0o777);
    const path = join(jails.root, `bwrap-${name}`);
    const tries = Array.from({ length: times }, (_, index) => `/usr/bin/mkdir ${marks}/${index} 2> /dev/null`);
    await writeFile(
      path,
      `#!/bin/sh
case "$*" in *bash*) if ${tries.join(' || ')}; then /usr/bin/sleep 60 & kill -9 $$; fi ;; esac
exec ${jails.options.bubblewrap} "$@"`,
    );
    await chmod(path, 0o755);
    return path;
  }

  async function runWith(bubblewrap: string) {
    const directory = jails.stateDirectory();
    await jails.withBubblewrap(bubblewrap).start(directory, jails.attempt(`print(run('echo ok', 5)['output'])`));
    return jails.finish(directory);
  }

  it('a fork of a bubblewrap that was killed is ended at once, and the command is started again', async () => {
    const { done, log } = await runWith(await killed('once', 1));
    expect([done.end, log]).toEqual([{ kind: 'exited', code: 0 }, 'ok\n\n']);
    expect(done.wallMs).toBeLessThan(3_000);
  });

  it('a bubblewrap that is killed each time is a failed start, told long before any time-out', async () => {
    const { done } = await runWith(await killed('twice', 2));
    expect(done.end).toMatchObject({ kind: 'start_failed', jail: 'task' });
    expect(done.wallMs).toBeLessThan(3_000);
  });

  it('hundreds of commands that leave something running never use up the process limit', async () => {
    const most = level.name === 'full' ? 140 : 204;
    const { done, commands } = await jails.run(
      `for _ in range(${most}): run('sleep 60 > /dev/null 2>&1 & echo started', 5)`,
      { limits: { wallMs: 35_000 } },
    );
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
    expect(new Set(commands.map(({ output }) => output))).toEqual(new Set(['started\n']));
    expect(commands).toHaveLength(most);
  }, 45_000);
});
