import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture, doneOf } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

describeAtEachLevel('a judge run', (level) => {
  let jails: JailFixture;
  let outputs: string;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
    outputs = await jails.folder('outputs', { 'deck.txt': 'made', 'json.py': 'raise SystemExit(9)' });
  });
  afterAll(() => jails.remove());

  async function judge(script: string, limits = {}) {
    const directory = jails.stateDirectory();
    const sandbox = jails.judge(script, outputs);
    const observation = await jails.sandbox.judge(
      directory,
      { ...sandbox, limits: { ...sandbox.limits, ...limits } },
      AbortSignal.timeout(30_000),
    );
    return { directory, done: doneOf(observation) };
  }

  it('reads the outputs and gives back reward, report and what the tests printed', async () => {
    const { directory, done } = await judge(
      `cat /app/deck.txt; echo 0.5 > /logs/verifier/reward.txt; echo '{"a":1}' > /logs/verifier/judge.json`,
    );
    expect(done).toMatchObject({ end: { kind: 'exited', code: 0 }, rewardText: '0.5\n', reportText: '{"a":1}\n' });
    expect(done.level).toBe(level.name);
    expect(await readFile(join(directory, 'test-stdout.txt'), 'utf8')).toBe('made');
  });

  it('cannot change the outputs, and imports nothing that was planted in them', async () => {
    const { done, directory } = await judge(
      `touch /app/x; rm -f /app/deck.txt; cd /tmp; /usr/bin/python3 -I -c 'import json; print("json", json.__file__)'`,
    );
    const text = await readFile(join(directory, 'test-stdout.txt'), 'utf8');
    expect(text).toContain('Read-only file system');
    expect(text).toContain('json /usr/lib');
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('has no sockets but local ones, no exec service and no gateway', async () => {
    const { directory } = await judge(
      `ls /run 2>&1; /usr/bin/python3 -I -c 'import socket
try: socket.socket(socket.AF_INET)
except OSError as error: print(error.strerror)'`,
    );
    expect(await readFile(join(directory, 'test-stdout.txt'), 'utf8')).toBe(
      `ls: cannot access '/run': No such file or directory\nAddress family not supported by protocol\n`,
    );
  });

  it('says how tests ended that did not finish', async () => {
    expect((await judge('sleep 30', { wallMs: 300 })).done).toMatchObject({
      end: { kind: 'wall_limit' },
      rewardText: null,
    });
    expect((await judge('kill -SEGV $$')).done.end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
    expect((await judge('yes', { outputBytes: 100_000 })).done.end).toEqual({ kind: 'output_limit' });
    expect((await judge('exit 4')).done.end).toEqual({ kind: 'exited', code: 4 });
  });
});
