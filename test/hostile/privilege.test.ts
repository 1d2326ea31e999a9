import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

/** Tries what a jail must not be able to do; prints one line for each. */
const attack = `import ctypes, errno, socket, fcntl, termios
c = ctypes.CDLL(None, use_errno=True)
def call(name, *numbers):
    c.syscall.restype = ctypes.c_long
    done = c.syscall(*numbers)
    print(name, 'DONE' if done >= 0 else errno.errorcode[ctypes.get_errno()])
def attempt(name, action):
    try: action(); print(name, 'DONE')
    except OSError as error: print(name, errno.errorcode[error.errno])
`;

describeAtEachLevel('a hostile program', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  /** The same attack from the harness jail and from a task jail. */
  async function both(script: string): Promise<{ harness: string; task: string }> {
    const files = await jails.folder('attack', { 'attack.py': attack + script });
    const { log, commands } = await jails.run(`run('/usr/bin/python3 -I attack.py', 10)\n${attack}${script}`, {
      inputs: [{ source: files, path: '.' }],
    });
    return { harness: log, task: commands[0]?.output ?? '' };
  }

  it('probe 1: cannot remount /usr writable nor open core_pattern for writing, and is not root on the host', async () => {
    const before = await readFile('/proc/sys/kernel/core_pattern', 'utf8');
    const seen = await both(`
attempt('usr', lambda: open('/usr/x', 'w'))
call('remount', 165, b'none', b'/usr', None, 0x20 | 0x1000, None)
attempt('core_pattern', lambda: open('/proc/sys/kernel/core_pattern', 'w'))
import os
attempt('setuid', lambda: os.setuid(0))
attempt('root', lambda: open('/x', 'w'))
print('capabilities', [line.split()[1] for line in open('/proc/self/status') if line.startswith('Cap')])`);
    for (const text of [seen.harness, seen.task]) {
      expect(text).toContain('usr EROFS');
      expect(text).toContain('remount EPERM');
      expect(text).toMatch(/core_pattern (EROFS|EACCES|EPERM)/);
      expect(text).toMatch(/setuid (EPERM|EINVAL)/);
      expect(text).toContain('root EROFS');
      expect(text).toContain(
        `capabilities ${JSON.stringify(Array(5).fill('0'.repeat(16)))
          .replaceAll('"', "'")
          .replaceAll(',', ', ')}`,
      );
      expect(text).not.toContain('DONE');
    }
    expect(await readFile('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  it('probe 2: finds no key, split, experiment or task name in what it can read of itself', async () => {
    const names = ['key-of-the-attempt', 'final-cross-office', 'exp_12345678', 'office-mini', 'secret-token'];
    const secret = await jails.folder('secret', { 'deck.txt': 'x' });
    const script = `
import glob
for path in ['/proc/1/environ', '/proc/self/environ', '/proc/1/cmdline', '/proc/self/mountinfo', '/proc/1/mountinfo', '/proc/self/cgroup', '/proc/1/status']:
    print(path, open(path, 'rb').read())
print(glob.glob('/*'), glob.glob('/tmp/*'), glob.glob('/run/*'))`;
    process.env['ANNEAL_TEST_SECRET'] = 'secret-token';
    const seen = await (async () => {
      const files = await jails.folder('attack', { 'attack.py': attack + script });
      const result = await jails.run(`run('/usr/bin/python3 -I attack.py', 10)\n${attack}${script}`, {
        key: 'key-of-the-attempt',
        inputs: [
          { source: files, path: '.' },
          { source: secret, path: 'in' },
        ],
      });
      return [result.log, result.commands[0]?.output ?? ''];
    })();
    delete process.env['ANNEAL_TEST_SECRET'];
    for (const text of seen) {
      for (const name of [...names, 'states', 'spec.json']) expect(text).not.toContain(name);
      expect(text).toContain("/proc/1/environ b''");
    }
  });

  it('probe 3: has descriptors 0 to 2 and no other', async () => {
    const seen = await both(`
import os
print(sorted(int(name) for name in os.listdir('/proc/self/fd'))[:-1], os.readlink('/proc/self/fd/0'))`);
    expect([seen.harness.trim(), seen.task.trim()]).toEqual(Array(2).fill('[0, 1, 2] /dev/null'));
  });

  const systemCalls = [
    ['unshare of a user namespace', '272, 0x10000000'],
    ['setns', '308, 0, 0'],
    ['mount', '165, b"none", b"/tmp", b"tmpfs", 0, None'],
    ['open_tree', '428, -100, b"/", 1'],
    ['ptrace', '101, 0, 0, 0, 0'],
    ['process_vm_readv', '310, 1, None, 0, None, 0, 0'],
    ['keyctl', '250, 0, -3, 0'],
    ['bpf', '321, 0, None, 0'],
    ['perf_event_open', '298, None, 0, -1, -1, 0'],
    ['userfaultfd', '323, 0'],
    ['io_uring_setup', '425, 1, None'],
    ['open_by_handle_at', '304, 0, None, 0'],
    ['shmget', '29, 0, 4096, 0o1600'],
    ['mknod', '133, b"/tmp/fifo", 0o10600, 0'],
    ['clone with a new user namespace', '56, 0x10000011, None, None, None, None'],
  ] as const;

  it.runIf(process.arch === 'x64')(
    'probe 4: is refused namespaces, mounts, tracing, keys and new kernel interfaces',
    async () => {
      const seen = await both(systemCalls.map(([name, numbers]) => `call('${name}', ${numbers})`).join('\n'));
      const expected = systemCalls.map(([name]) => `${name} EPERM`);
      expect(seen.harness.trim().split('\n')).toEqual(expected);
      expect(seen.task.trim().split('\n')).toEqual(expected);
    },
  );

  it.runIf(process.arch === 'x64')(
    'probe 4: meets a kernel without clone3 and without calls newer than the filter',
    async () => {
      const { harness } = await both(
        `call('clone3', 435, None, 0)\ncall('statmount', 457, None)\ncall('newer', 480, None)`,
      );
      expect(harness.trim().split('\n')).toEqual(['clone3 ENOSYS', 'statmount ENOSYS', 'newer ENOSYS']);
    },
  );

  it('probe 5: gets unix sockets in the harness, and internet sockets without a network in a command', async () => {
    const seen = await both(`
for name, family in [('unix', 1), ('inet', 2), ('inet6', 10), ('netlink', 16), ('packet', 17), ('alg', 38), ('vsock', 40)]:
    attempt(name, lambda: socket.socket(family, socket.SOCK_STREAM if family != 16 else socket.SOCK_RAW))
attempt('connect', lambda: socket.create_connection(('127.0.0.1', 1), 1))
attempt('outside', lambda: socket.create_connection(('1.1.1.1', 53), 1))`);
    const refused = (names: string[]) => names.map((name) => `${name} EAFNOSUPPORT`);
    const foreign = refused(['netlink', 'packet', 'alg', 'vsock']);
    expect(seen.harness.trim().split('\n')).toEqual([
      'unix DONE',
      ...refused(['inet', 'inet6']),
      ...foreign,
      ...refused(['connect', 'outside']),
    ]);
    expect(seen.task.trim().split('\n')).toEqual([
      'unix DONE',
      'inet DONE',
      'inet6 DONE',
      ...foreign,
      'connect ECONNREFUSED',
      'outside ENETUNREACH',
    ]);
  });

  it('probe 6: cannot push characters into a terminal', async () => {
    const seen = await both(`
attempt('tty', lambda: open('/dev/tty'))
import pty
leader, follower = pty.openpty()
attempt('tiocsti', lambda: fcntl.ioctl(follower, termios.TIOCSTI, b'x'))
attempt('tioclinux', lambda: fcntl.ioctl(follower, 0x541C, b'x'))`);
    for (const text of [seen.harness, seen.task]) {
      expect(text.trim().split('\n')).toEqual(['tty ENXIO', 'tiocsti EPERM', 'tioclinux EPERM']);
    }
  });
});
