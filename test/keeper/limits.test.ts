import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

describeAtEachLevel('the end of a harness', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  it('is its exit code', async () => {
    expect((await jails.run('sys.exit(7)')).done.end).toEqual({ kind: 'exited', code: 7 });
  });

  it('is the signal that ended it', async () => {
    expect((await jails.run('os.kill(os.getpid(), 11)')).done.end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it('is the output limit when it prints without end; the log keeps front and tail', async () => {
    const { done, log } = await jails.run(`print('first'); [print('x' * 1000) for _ in range(10**9)]`, {
      limits: { harnessOutputBytes: 1_000_000, harnessLogBytes: 2_000 },
    });
    expect(done.end).toEqual({ kind: 'output_limit' });
    expect(log).toMatch(/^first\n/);
    expect(log.length).toBeLessThan(2_100);
  });

  it('is a failed start, with the reason, when its program does not exist', async () => {
    const directory = jails.stateDirectory();
    const sandbox = jails.attempt('');
    await jails.sandbox.start(directory, { ...sandbox, harness: { ...sandbox.harness, argv: ['/usr/bin/absent'] } });
    const { done } = await jails.finish(directory);
    expect(done.end).toMatchObject({ kind: 'start_failed', jail: 'harness' });
    expect(JSON.stringify(done.end)).toContain('No such file');
  });

  it('is the same after a command that runs out of memory: that command alone is killed', async () => {
    const { done, commands } = await jails.run(
      `run("python3 -c 'x = bytearray(1 << 30); x[::4096] = bytes(len(x[::4096])); print(len(x))'", 10)`,
      { limits: { taskMemoryBytes: 200_000_000 } },
    );
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
    expect(commands[0]?.returncode).toBe(level.name === 'full' ? 137 : 0);
  });
});
