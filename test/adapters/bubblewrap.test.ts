import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, chmod, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processIdentity } from '../../src/services/processes/process-identity.ts';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

const starter = fileURLToPath(new URL('../support/attempt-starter.ts', import.meta.url));

describeAtEachLevel('the bubblewrap driver', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  async function keeperOf(directory: string): Promise<number> {
    for (let tries = 0; tries < 200; tries++) {
      const text = await readFile(join(directory, 'keeper.json'), 'utf8').catch(() => null);
      if (text !== null) return (JSON.parse(text) as { pid: number }).pid;
      await sleep(10);
    }
    throw new Error('no keeper');
  }

  const eventually = { timeout: 10_000, interval: 20 };
  const signal = () => AbortSignal.timeout(30_000);

  it('proves by a jailed command its level, a host uid that is not root, and that no network is reached', async () => {
    const found = await jails.sandbox.probe({ mounts: [], interpreters: ['/usr/bin/python3', '/opt/absent/python'] });
    expect(found).toMatchObject({ kind: 'possible', level: level.name, network: 'refused' });
    if (found.kind !== 'possible') return;
    expect(found.hostUid).toBeGreaterThan(0);
    expect(found.interpreters.map(({ kind }) => kind)).toEqual(['runs', 'fails']);
  });

  it('says why no sandbox is possible, and what to do', async () => {
    const broken = jails.withBubblewrap('/absent/bwrap');
    expect(await broken.probe({ mounts: [], interpreters: [] })).toMatchObject({
      kind: 'impossible',
      cause: 'bubblewrap_missing',
    });
    const directory = jails.stateDirectory();
    await broken.start(directory, jails.attempt(''));
    expect(await broken.observe(directory, signal())).toMatchObject({ kind: 'lost' });
  });

  it('starts a directory once: later starts adopt its keeper, then find its result', async () => {
    const directory = jails.stateDirectory();
    const sandbox = jails.attempt(`open('/out/outcome.json', 'x').close(); time.sleep(0.7)`);
    expect(await jails.sandbox.start(directory, sandbox)).toEqual({ kind: 'started' });
    const keeper = await keeperOf(directory);
    expect(await jails.sandbox.start(directory, sandbox)).toEqual({ kind: 'adopted' });
    const { done } = await jails.finish(directory);
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
    expect(await jails.sandbox.start(directory, sandbox)).toEqual({ kind: 'already-done' });
    expect(await keeperOf(directory)).toBe(keeper);
  });

  it('survives a race of starts: one keeper runs', async () => {
    const directory = jails.stateDirectory();
    const sandbox = jails.attempt(`run('echo once', 5)`);
    await Promise.all([1, 2, 3, 4].map(() => jails.sandbox.start(directory, sandbox)));
    const { commands } = await jails.finish(directory);
    expect(commands).toHaveLength(1);
  });

  it('keeps an attempt running when the worker that started it is killed; another adopts it', async () => {
    const directory = jails.stateDirectory();
    const sandbox = jails.attempt(`time.sleep(1); print(run('echo survived', 5)['output'])`);
    const input = join(jails.root, `starter-${level.name}.json`);
    await writeFile(input, JSON.stringify({ options: jails.options, directory, sandbox }));
    const worker = spawn(process.execPath, ['--import', 'tsx', starter, input], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(worker.stdout, 'data')) as [Buffer];
    expect(line.toString()).toBe('started\n');
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(['adopted', 'started']).toContain((await jails.sandbox.start(directory, sandbox)).kind);
    const { log, commands } = await jails.finish(directory);
    expect(log).toBe('survived\n\n');
    expect(commands).toHaveLength(1);
  });

  it('reports a killed keeper as lost, and never runs its directory again', async () => {
    const directory = jails.stateDirectory();
    const sandbox = jails.attempt('time.sleep(30)');
    await jails.sandbox.start(directory, sandbox);
    const pid = await keeperOf(directory);
    let seen = 0;
    const observed = jails.sandbox.observe(directory, signal(), () => (seen += 1));
    await sleep(1_600);
    process.kill(pid, 'SIGKILL');
    const lost = await observed;
    expect(lost).toMatchObject({ kind: 'lost', reason: `keeper ${pid} is gone` });
    expect(await jails.sandbox.start(directory, sandbox)).toEqual(lost);
    expect(lost.kind === 'lost' && lost.elapsedMs).toBeGreaterThanOrEqual(1_000);
    expect(seen).toBeGreaterThanOrEqual(2);
  });

  it('takes what a power cut left of a keeper for a keeper that is gone, never for a reason to wait', async () => {
    for (const name of ['keeper.json', 'done.json']) {
      const directory = jails.stateDirectory();
      await jails.sandbox.start(directory, jails.attempt(''));
      await jails.finish(directory);
      await jails.sandbox.stop(directory);
      await rm(join(directory, 'done.json'));
      await writeFile(join(directory, name), '');
      expect(await jails.sandbox.start(directory, jails.attempt(''))).toMatchObject({ kind: 'lost' });
      expect(await jails.sandbox.observe(directory, signal())).toMatchObject({ kind: 'lost' });
      await jails.sandbox.stop(directory);
    }
  });

  it('takes another process of the same pid for what it is', async () => {
    const directory = jails.stateDirectory();
    await mkdir(directory, { recursive: true });
    const other = { version: 1, pid: process.pid, startTime: 1, key: 'k1', epoch: 1, startedAt: 1 };
    await writeFile(join(directory, 'keeper.json'), JSON.stringify(other));
    expect((await jails.sandbox.start(directory, jails.attempt(''))).kind).toBe('lost');
    await jails.sandbox.stop(directory);
    expect((await jails.sandbox.observe(directory, signal())).kind).toBe('lost');
  });

  it('leaves the keeper of a copied state directory to its original', async () => {
    const [directory, copy] = [jails.stateDirectory(), jails.stateDirectory()];
    await jails.sandbox.start(directory, jails.attempt(`run('sleep 30', 30)`));
    const pid = await keeperOf(directory);
    await cp(directory, copy, { recursive: true });
    await jails.sandbox.stop(copy);
    expect((await jails.sandbox.start(copy, jails.attempt(''))).kind).toBe('lost');
    expect(processIdentity(pid)).not.toBeNull();
    await jails.sandbox.stop(directory);
    expect(processIdentity(pid)).toBeNull();
  });

  it('stops an attempt within a second, and does not mind one that never ran', async () => {
    const directory = jails.stateDirectory();
    await jails.sandbox.start(directory, jails.attempt(`run('sleep 30', 30)`));
    await keeperOf(directory);
    await sleep(200);
    const began = performance.now();
    await jails.sandbox.stop(directory);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect((await jails.finish(directory)).done).toMatchObject({ end: { kind: 'stopped' }, files: [] });
    await jails.sandbox.stop(jails.stateDirectory());
  });

  it('stops watching when it is told to, and leaves the attempt alone', async () => {
    const directory = jails.stateDirectory();
    await jails.sandbox.start(directory, jails.attempt('time.sleep(0.6)'));
    const impatient = new AbortController();
    setTimeout(() => impatient.abort(new Error('shutting down')), 100);
    await expect(jails.sandbox.observe(directory, impatient.signal)).rejects.toThrow('shutting down');
    expect((await jails.finish(directory)).done.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('shows nothing of the package where it is installed below /usr', async () => {
    const script = `run('ls /usr/share/doc | wc -l; touch /usr/share/doc/x', 5)`;
    const { commands } = await jails.hiding('/usr/share/doc', script);
    expect(commands[0]?.output).toMatch(/^0\n.*Read-only file system\n$/);
  });

  it('refuses a sandbox that is none before anything is started', async () => {
    const sandbox = jails.attempt('');
    await expect(
      jails.sandbox.start(jails.stateDirectory(), { ...sandbox, inputs: [{ source: '/etc/passwd', path: '../x' }] }),
    ).rejects.toThrow('inputs');
  });

  it('shows an environment whose interpreter lies in a private folder', async () => {
    const home = await jails.folder('home');
    await chmod(home, 0o700);
    await jails.folder('home/python/bin');
    execFileSync('cp', ['/usr/bin/python3', join(home, 'python/bin/python3')]);
    const venv = await jails.folder('home/venv/bin');
    await writeFile(join(home, 'venv/pyvenv.cfg'), `home = ${home}/python/bin\n`);
    execFileSync('ln', ['-s', `${home}/python/bin/python3`, join(venv, 'python')]);
    const found = await jails.sandbox.probe({
      mounts: [{ source: join(home, 'venv'), target: '/opt/solver', how: 'bind' }],
      interpreters: ['/opt/solver/bin/python'],
    });
    expect(found).toMatchObject({ kind: 'possible', interpreters: [{ kind: 'runs' }] });
  });

  it('removes every cgroup and staged file of an attempt', async () => {
    const { directory } = await jails.run(`run('true', 5)`);
    const pid = await keeperOf(directory);
    const groups = execFileSync('find', ['/sys/fs/cgroup', '-name', `anneal-${pid}-*`]).toString();
    expect(groups).toBe('');
    expect(execFileSync('ls', [join(jails.options.stagingRoot, 'k')]).toString()).toBe('');
  });

  const groupsOf = (pid: number) => execFileSync('find', ['/sys/fs/cgroup', '-name', `anneal-${pid}-*`]).toString();

  /** Ids of the processes in them. */
  const membersOf = (pid: number) =>
    groupsOf(pid)
      .split('\n')
      .filter((group) => group !== '')
      .map((group) => readFileSync(join(group, 'cgroup.procs'), 'utf8'))
      .join('');
  const groupsMade = async (pid: number): Promise<void> => {
    if (level.name === 'user') await sleep(400);
    const made = level.name === 'full' ? new RegExp(`anneal-${pid}-\\d+-task`) : /^$/;
    await expect.poll(() => groupsOf(pid), eventually).toMatch(made);
  };

  it('removes the cgroups of keepers that were killed; at level user there are none', async () => {
    const directory = jails.stateDirectory();
    await jails.sandbox.start(directory, jails.attempt(`run('sleep 30', 30)`));
    const pid = await keeperOf(directory);
    await groupsMade(pid);
    // Killed earlier, its jails would join their groups behind whoever looks whether these are empty.
    await expect.poll(() => membersOf(pid), eventually).toMatch(level.name === 'full' ? /\d/ : /^$/);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => membersOf(pid), eventually).toBe('');
    // A group whose last process the kernel is still burying is left to the keeper after.
    await expect.poll(async () => jails.run('pass').then(() => groupsOf(pid)), eventually).toBe('');
  });

  it('leaves the cgroups of keepers of another process table alone, of which none runs here; at level user it makes none', async () => {
    const directory = jails.stateDirectory();
    await jails.sandbox.start(directory, jails.attempt(`run('sleep 30', 30)`));
    const pid = await keeperOf(directory);
    await groupsMade(pid);
    const own = groupsOf(pid)
      .split('\n')
      .filter((group) => group.endsWith('-task'));
    const foreign = own.map((group) => join(dirname(group), 'anneal-4000000-999999-task'));
    expect(foreign.length > 0).toBe(level.name === 'full');
    for (const group of foreign) await mkdir(group);
    await jails.run('pass');
    expect(foreign.map((group) => existsSync(group))).toEqual(foreign.map(() => true));
    for (const group of foreign) await rmdir(group);
    await jails.sandbox.stop(directory);
  });
});
