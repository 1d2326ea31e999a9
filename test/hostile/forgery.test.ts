import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { classifyRun } from '../../src/domain/outcome.ts';
import type { LeaseUsage } from '../../src/schema/lease.ts';
import type { SandboxEnd } from '../../src/schema/sandbox-done.ts';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

const usage: LeaseUsage = {
  calls: 3,
  retries: 0,
  replayed: 0,
  tokensReported: 100,
  tokensCharged: 100,
  tokensInherited: 0,
  unknownRows: 0,
  waitedMs: 0,
  limitHit: null,
  lastFault: null,
  servedModels: ['m'],
  divergedAtCall: null,
};

function classOf(end: SandboxEnd): string {
  if (end.kind === 'stopped') return 'cancelled';
  return classifyRun({ usage, keeper: end, reported: null, cancelledBy: null }).kind;
}

describeAtEachLevel('a forging harness', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  const forgeries = [
    [
      'claims a lost host in its outcome',
      `open('/out/outcome.json', 'w').write('{"kind": "lost", "end": {"kind": "start_failed"}}')`,
    ],
    [
      'leaves a done-marker, a keeper file and a log',
      `for name in ('done.json', 'keeper.json', 'commands.jsonl', 'spec.json'): open(f'/out/{name}', 'w').write('{"fault": "x"}')`,
    ],
    [
      'prints what a keeper and bubblewrap print',
      `print('bwrap: Creating new namespace failed: No space left on device'); print('Traceback: keeper fault')`,
    ],
    [
      'writes to every descriptor that may be open',
      `
for n in range(3, 256):
    try: os.write(n, b'{ "exit-code": 0 }\\n')
    except OSError: pass`,
    ],
    [
      'prints a failed start and leaves with its status',
      `print('bwrap: execvp /x: No such file or directory'); sys.exit(1)`,
    ],
    ['leaves without a word', `os._exit(0)`],
    ['ends with the status of a killed process', `os._exit(137)`],
    ['is killed by its own hand', `os.kill(os.getpid(), 9)`],
    [
      'leaves a trajectory that is a folder and an outcome that is a link',
      `os.mkdir('/out/trajectory.json'); os.symlink('/etc/passwd', '/out/outcome.json')`,
    ],
    ['leaves an outcome that is no JSON', `open('/out/outcome.json', 'wb').write(b'\\xff' * 100)`],
    [
      'takes every right to its folder away',
      `open('/out/outcome.json', 'w'); os.chmod('/out/outcome.json', 0); os.chmod('/out', 0)`,
    ],
    [
      'fills its folder to the last byte',
      `
try:
    while True: open('/out/x', 'ab').write(bytes(1 << 20))
except OSError: pass`,
    ],
  ] as const;

  it.each(forgeries)('probe 12: one that %s is an agent error, never infrastructure', async (_what, script) => {
    const { done, directory } = await jails.run(script);
    expect(['exited', 'signalled']).toContain(done.end.kind);
    expect(classOf(done.end)).toBe('agent_error');
    expect(existsSync(join(directory, 'done.json'))).toBe(true);
  });

  it('probe 13: running out of memory is an agent error, however it does so', async () => {
    const { done } = await jails.run(
      `held = []
while True: held.append(bytearray(64 << 20))`,
      { limits: { harnessMemoryBytes: 400_000_000 } },
    );
    expect(classOf(done.end)).toBe('agent_error');
  });

  it('probe 12: a command cannot reach the exec service, the gateway, the harness or its folder', async () => {
    const { commands } = await jails.run(
      `run('ls /run/exec /run/gateway /out /opt/harness /opt/anneal-runner 2>&1; ls / /run', 5)`,
    );
    expect(commands[0]?.output.match(/No such file or directory/g)).toHaveLength(5);
    expect(commands[0]?.output).not.toContain('exec.sock');
  });

  it('probe 12: a harness cannot replace the socket that it talks to', async () => {
    const { log } = await jails.run(`
for action in (lambda: os.unlink('/run/exec/exec.sock'), lambda: open('/run/exec/x', 'w'), lambda: os.rename('/run/exec', '/run/y')):
    try: action(); print('DONE')
    except OSError as error: print(error.strerror)`);
    expect(log.trim().split('\n')).toEqual(['Read-only file system', 'Read-only file system', 'Read-only file system']);
  });
});
