import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

const forkBomb = `
import os, time
last = time.time() + 3
while time.time() < last:
    try:
        if os.fork() == 0:
            while True:
                try: os.fork()
                except OSError: time.sleep(0.01)
    except OSError: time.sleep(0.01)`;

describeAtEachLevel('a flooding program', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  it('probe 7: a neighbour starts within a second of a fork bomb, in the harness and in a command', async () => {
    const files = await jails.folder('bomb', { 'bomb.py': forkBomb });
    const bombed = jails.run(
      `os.system('true')\nif os.fork() == 0:${forkBomb.replaceAll('\n', '\n    ')}
else:
    time.sleep(1); print(run('/usr/bin/python3 -I bomb.py; echo survived', 4)['timedOut'])`,
      {
        inputs: [{ source: files, path: '.' }],
        limits: { wallMs: 6_000 },
      },
    );
    const bombing = jails.stateDirectory();
    expect(bombing).not.toBe('');
    const waits: number[] = [];
    for (let neighbour = 1; neighbour <= 4; neighbour++) {
      const began = performance.now();
      const { commands } = await jails.run(`run('echo ok', 5)`, { slot: 50 + neighbour });
      waits.push(performance.now() - began);
      expect(commands[0]?.output).toBe('ok\n');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(Math.max(...waits)).toBeLessThan(1_000);
    const { done } = await bombed;
    expect(['wall_limit', 'exited', 'signalled']).toContain(done.end.kind);
  });

  it('probe 8: floods of shared memory, memfds, tmpfs and pipes are over with their command; a neighbour notices nothing', async () => {
    const flood = `import mmap, os
held, filled = [], 0
def fill_pipe():
    reader, writer = os.pipe(); os.set_blocking(writer, False); held.append((reader, writer))
    try:
        while True: os.write(writer, bytes(65536))
    except OSError: pass
for folder in ('/app', '/tmp', '/dev/shm'):
    try:
        with open(folder + '/flood', 'wb') as file:
            while True: file.write(bytes(1 << 20))
    except OSError: pass
try:
    for _ in range(100): fill_pipe()
except OSError: pass
while filled < 900:
    try:
        memory = os.memfd_create('flood'); held.append(memory)
        for _ in range(30): filled += os.write(memory, bytes(1 << 20)) >> 20
        held.append(mmap.mmap(-1, 16 << 20)); held[-1].write(bytes(16 << 20)); filled += 16
    except (OSError, ValueError): break
print('held', filled)`;
    const files = await jails.folder('flood', { 'flood.py': flood });
    const flooded = jails.run(
      `run('/usr/bin/python3 -I flood.py', 25)\nrun('rm -f flood /tmp/flood /dev/shm/flood; free -m | tail -2; echo next', 10)`,
      { slot: 30, inputs: [{ source: files, path: '.' }], limits: { taskMemoryBytes: 800_000_000, wallMs: 38_000 } },
    );
    for (let neighbour = 0; neighbour < 4; neighbour++) {
      const { commands } = await jails.run(`run('echo ok', 5)`, { slot: 31 + neighbour });
      expect(commands[0]?.output).toBe('ok\n');
    }
    const { done, commands } = await flooded;
    // A memory cgroup ends the command at its limit; without one only the process limits bound it, until it ends.
    expect(commands[0]?.returncode).toBe(level.name === 'full' ? 137 : 0);
    expect(commands[1]?.output).toMatch(/next\n$/);
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('probe 9: a million files, a sparse terabyte and filled trees are capped, and the next command still runs', async () => {
    const { commands, done } = await jails.run(
      `run('''/usr/bin/python3 -I -c "
import os
for folder in ('/app', '/tmp', '/dev/shm'):
    made = 0
    try:
        for made in range(10**6): open(f'{folder}/f{made}', 'w').close()
    except OSError as error: print(folder, made < 5000, error.strerror)
"; rm -rf /app/f* /tmp/f* /dev/shm/f*''', 30)
run('truncate -s 1T sparse; ls -l sparse 2>&1 | wc -l; head -c 100M /dev/zero > big; stat -c %s big', 20)
run('for n in 1 2 3 4 5 6; do head -c 60M /dev/zero > /app/b$n; done; df --output=used -B1M /app | tail -1', 30)
run('head -c 1G /dev/zero > /dev/shm/b; head -c 1G /dev/zero > /tmp/b; stat -c %s /dev/shm/b /tmp/b', 20)
run('echo x > /x; echo x > /usr/x; echo x > /etc/x; echo x > /dev/x; echo x > /run/x', 5)
run('echo still here', 5)`,
    );
    const outputs = commands.map(({ output }) => output);
    expect(outputs[0]?.match(/True No space left on device/g)).toHaveLength(3);
    expect(outputs[1]).toContain('67108864');
    expect(Number(outputs[2]?.trim().split('\n').at(-1))).toBeLessThanOrEqual(256);
    const [shared = Infinity, temporary = Infinity] = (outputs[3]?.match(/^\d+$/gm) ?? []).map(Number);
    expect(shared).toBeLessThanOrEqual(16 << 20);
    expect(temporary).toBeLessThanOrEqual(64 << 20);
    expect(outputs[4]?.match(/Read-only file system/g)).toHaveLength(5);
    expect(outputs[5]).toBe('still here\n');
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('probe 9: the harness is capped in the same way, and its attempt ends by itself', async () => {
    const { done, log } = await jails.run(`
for folder in ('/out', '/tmp', '/dev/shm'):
    try:
        with open(f'{folder}/big', 'wb') as file:
            while True: file.write(bytes(1 << 20))
    except OSError as error: print(folder, os.path.getsize(f'{folder}/big') <= 64 << 20)
open('/out/outcome.json', 'w').write('{}')`);
    expect(log).toBe('/out True\n/tmp True\n/dev/shm True\n');
    expect(done.end.kind).toBe('exited');
  });

  it('probe 13: its own memory limit ends the harness and nobody else', async () => {
    const { done, log } = await jails.run(
      `import mmap
held = []
while True: held.append(mmap.mmap(-1, 16 << 20)); held[-1].write(bytes(16 << 20))`,
      { limits: { harnessMemoryBytes: 150_000_000 } },
    );
    // Without a memory cgroup it is the address space that ends, and the program is told.
    expect(done.end).toEqual(level.name === 'full' ? { kind: 'out_of_memory' } : { kind: 'exited', code: 1 });
    expect(log.includes('Cannot allocate memory')).toBe(level.name === 'user');
  });

  it('a full working directory that uses up its memory limit is no failed start', async () => {
    const { done, commands } = await jails.run(
      `run('head -c 60M /dev/zero > a; head -c 60M /dev/zero > b', 10)\nrun('echo next', 5)`,
      { limits: { taskMemoryBytes: 80_000_000 } },
    );
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
    expect(commands).toHaveLength(2);
    expect(commands[1]?.returncode).not.toBe(-1);
    expect([commands[0]?.returncode, commands[1]?.output]).toEqual([1, 'next\n']);
  });

  it('full trees are no space left, and leave half of the memory to the next program', async () => {
    const { commands } = await jails.run(
      `run('for tree in /app /tmp /dev/shm; do head -c 90M /dev/zero > $tree/full; done', 10)
run("/usr/bin/python3 -I -c 'print(len(bytes(20 << 20).replace(bytes(1), bytes([1]))))'; rm /app/full; echo $?", 10)`,
      { limits: { taskMemoryBytes: 100_000_000 } },
    );
    expect(commands[0]?.output.match(/No space left on device/g)).toHaveLength(3);
    expect(commands[1]?.output).toBe(`${20 << 20}\n0\n`);
  });
});
