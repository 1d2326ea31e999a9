import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

/** Command lines of the host's processes, words parted by NUL. */
function commandLines(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
    } catch {
      return [];
    }
  });
}

/** Host processes whose command line contains a text. */
const processesWith = (text: string): number => commandLines().filter((line) => line.includes(text)).length;

/** The programs that `daemon` leaves, without the harness and the jails around it that have its text in their words too. */
const daemonsWith = (marker: string): number =>
  commandLines().filter((line) => line.split('\0').includes(`import time; time.sleep(30)  # ${marker}`)).length;

const eventually = { timeout: 10_000, interval: 20 };

const daemon = (marker: string) => `
import os, signal, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(1, 32):
            try: signal.signal(number, signal.SIG_IGN)
            except OSError: pass
        os.execv('/usr/bin/python3', ['python3', '-I', '-S', '-c', 'import time; time.sleep(30)  # ${marker}'])
    os._exit(0)
`;

describeAtEachLevel('what a program leaves behind', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  it('probe 10: a double fork with setsid that ignores signals is gone with its command and with its harness', async () => {
    const [inHarness, inCommand] = [`left-${level.name}-a`, `left-${level.name}-b`];
    const files = await jails.folder('daemon', { 'daemon.py': daemon(inCommand) });
    const { commands, log } = await jails.run(
      `run('/usr/bin/python3 -I daemon.py; sleep 0.3; cat /proc/[0-9]*/cmdline', 5)
run('cat /proc/[0-9]*/cmdline', 5)${daemon(inHarness)}
time.sleep(0.3); print([open(f'/proc/{pid}/cmdline').read() for pid in os.listdir('/proc') if pid.isdigit()])`,
      { inputs: [{ source: files, path: '.' }] },
    );
    expect(commands[0]?.output).toContain(inCommand);
    expect(commands[1]?.output).not.toContain(inCommand);
    expect(log).toContain(inHarness);
    expect([processesWith(inHarness), processesWith(inCommand)]).toEqual([0, 0]);
  });

  it('probe 10: nothing in the jails outlives a keeper that is killed', async () => {
    const marker = `left-${level.name}-c`;
    const files = await jails.folder('daemon', { 'daemon.py': daemon(marker) });
    const directory = jails.stateDirectory();
    await jails.sandbox.start(
      directory,
      jails.attempt(`${daemon(marker)}\nrun('/usr/bin/python3 -I daemon.py; sleep 20', 20)`, {
        inputs: [{ source: files, path: '.' }],
      }),
    );
    // One of the harness, one of its command.
    await expect.poll(() => daemonsWith(marker), eventually).toBe(2);
    const keeper = JSON.parse(readFileSync(`${directory}/keeper.json`, 'utf8')) as { pid: number };
    process.kill(keeper.pid, 'SIGKILL');
    await expect.poll(() => processesWith(marker), eventually).toBe(0);
    const observed = await jails.sandbox.observe(directory, AbortSignal.timeout(5_000));
    expect(observed).toMatchObject({ kind: 'lost', reason: `keeper ${keeper.pid} is gone` });
  });

  it('probe 10: nothing is left of a keeper that is killed while its jails are being set up', async () => {
    const marker = `left-${level.name}-d`;
    for (let delay = 0; delay < 48; delay += 4) {
      const directory = jails.stateDirectory();
      await jails.sandbox.start(directory, jails.attempt(`run('sleep 30', 30)  # ${marker}`, { slot: 60 + delay }));
      while (!existsSync(`${directory}/keeper.json`)) await sleep(1);
      await sleep(delay);
      const keeper = JSON.parse(readFileSync(`${directory}/keeper.json`, 'utf8')) as { pid: number };
      process.kill(keeper.pid, 'SIGKILL');
    }
    // What was being started then would be there by now.
    await sleep(1_000);
    await expect.poll(() => processesWith(marker), eventually).toBe(0);
  });

  it.each([
    [
      'kills and stops every process it sees, its first one too',
      `os.kill(1, 9)\nos.kill(1, 19)\nif os.fork() == 0: time.sleep(60)\nos.kill(-1, 19)`,
    ],
    ['stops itself', `os.kill(os.getpid(), 19)`],
    ['ignores every signal', `[signal.signal(n, signal.SIG_IGN) for n in range(1, 65) if n not in (9, 19, 32, 33)]`],
    ['forks children that stop', `[os.fork() or os.kill(os.getpid(), 19) for _ in range(5)]`],
  ])('probe 11: the wall limit holds for a harness that %s', async (_what, script) => {
    const { done } = await jails.run(`import signal\n${script}\ntime.sleep(60)`, { limits: { wallMs: 700 } });
    expect(done.end).toEqual({ kind: 'wall_limit' });
    expect(done.wallMs).toBeLessThan(2_000);
  });

  it('probe 11: a command that stops its shell and its first process ends at its time-out', async () => {
    const { commands, done } = await jails.run(
      `run('kill -9 1; kill -STOP 1; kill -STOP $$; sleep 60', 1)\nrun('echo next', 5)`,
    );
    expect(commands.map(({ timedOut, output }) => [timedOut, output])).toEqual([
      [true, ''],
      [false, 'next\n'],
    ]);
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('probe 20: a marker that an attempt leaves anywhere is absent in the next one under the same slot', async () => {
    const leave = `
marker = 'left-by-the-attempt-before'
os.environ['MARKER'] = marker
for folder in ('/tmp', '/out', '/dev/shm', os.path.expanduser('~'), '/var/tmp', '/run', '/opt'):
    try: open(f'{folder}/{marker}', 'w').write(marker)
    except OSError: pass
run("export MARKER=left-by-the-attempt-before; for f in . ~ /tmp /dev/shm /var/tmp; do echo $MARKER > $f/$MARKER; echo $MARKER >> $f/.bashrc; done", 5)`;
    const look = `
import subprocess
search = "grep -rl left-by-the-attempt / --include='*' --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr 2> /dev/null; env; find / -xdev -name 'left-by*' 2> /dev/null; true"
print('SEEN', subprocess.run(['bash', '-c', search.replace('left-by', 'left[-]by')], capture_output=True, text=True).stdout)
print('SEEN', run(search.replace('left-by', 'left[-]by'), 20)['output'])`;
    const before = await jails.run(leave + look, { slot: 40 });
    expect(before.log.match(/left-by-the-attempt-before/g)?.length).toBeGreaterThan(4);
    const after = await jails.run(look, { slot: 40 });
    expect(after.log).toMatch(/^SEEN /);
    expect(after.log).not.toContain('left-by-the-attempt-before');
  });
});
