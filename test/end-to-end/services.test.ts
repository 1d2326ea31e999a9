import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/services/create-engine.ts';
import { dataHomeAt } from '../../src/services/data-home/data-home.ts';
import type { Engine, ServiceState } from '../../src/services/engine.ts';
import { isStopping } from '../../src/services/processes/stopping.ts';
import { readPidFile } from '../../src/services/processes/pid-file.ts';
import { WholeRun, packExperiment } from '../support/whole-run.ts';

const files = packExperiment(
  {
    feedback: ['office-mini/x1'],
    selection: ['office-mini/x3'],
    'final-in-domain': [],
    'final-cross-office': [],
  },
  undefined,
  0,
);

let run: WholeRun;
/** Another terminal in the same folder. */
let other: Engine;

const environment = (): NodeJS.ProcessEnv => {
  const { TEMPORAL_ADDRESS: _, ANNEAL_HOME: __, ...rest } = process.env;
  return rest;
};
const pidsOf = (states: readonly ServiceState[]): (number | null)[] => states.map(({ pid }) => pid);
const quiet = (): void => {};

beforeAll(() => {
  run = new WholeRun();
  other = createEngine(run.home, environment());
});

afterAll(async () => {
  await other.close();
  await run.remove();
});

describe('the services of one data home', () => {
  test('are started once by several who start them at the same time, and answer them all', async () => {
    const third = createEngine(run.home, environment());
    const all = await Promise.all([run.engine, other, third].map((engine) => engine.up(quiet)));
    expect(new Set(all.map((states) => JSON.stringify(pidsOf(states)))).size).toBe(1);
    expect(all[0]?.every(({ state }) => state === 'running')).toBe(true);
    await third.close();
  });

  test('are there for whoever starts them while somebody else stops them', async () => {
    const told: string[] = [];
    const down = run.engine.down({ now: false }, quiet);
    while (!isStopping(run.home)) await sleep(5);
    const up = await other.up((line) => told.push(line));
    await down;
    expect(up.every(({ state }) => state === 'running')).toBe(true);
    expect(told.join('\n')).toContain('waiting');
  });

  test('take their sockets with them when they are stopped', async () => {
    await run.engine.up(quiet);
    expect(existsSync(run.home.controlSocket)).toBe(true);
    await run.engine.down({ now: true }, quiet);
    expect(existsSync(run.home.staging)).toBe(false);
  });

  test.each([
    ['its pid files', (): void => ['supervisor', 'temporal', 'worker'].forEach((name) => rmFile(`${name}.pid`))],
    ['the address of its server', (): void => rmFile('temporal.address')],
    ['the sign that its worker is ready', (): void => rmFile('worker.ready')],
    ['a right address, for a wrong one,', (): void => writeFileSync(join(run.home.run, 'temporal.address'), '1.2.3.4')],
    ['its whole run folder', (): void => rmSync(run.home.run, { recursive: true })],
  ])('go on as they are when it lost %s', async (_, lose) => {
    const before = pidsOf(await run.engine.up(quiet));
    lose();
    expect(pidsOf(await other.up(quiet))).toEqual(before);
    await sleep(1_500);
    expect(pidsOf(await other.services())).toEqual(before);
  });

  test('are out of reach for a copy of the data home: neither stopped nor steered', async () => {
    const before = pidsOf(await run.engine.up(quiet));
    const copy = dataHomeAt(join(run.root, 'copy'));
    cpSync(run.home.run, copy.run, { recursive: true });
    const stranger = createEngine(copy, environment());
    expect((await stranger.services()).map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped']);
    await run.freeze(files, 1);
    await expect(stranger.cancel(run.lock)).rejects.toMatchObject({ code: 'ANL-5003' });
    await stranger.down({ now: true }, quiet);
    expect(pidsOf(await run.engine.services())).toEqual(before);
  });

  test('are not used by another version of anneal', async () => {
    await run.engine.up(quiet);
    const supervisor = readPidFile(join(run.home.run, 'supervisor.pid'))?.pid ?? 0;
    // It writes its version down anew every second.
    process.kill(supervisor, 'SIGSTOP');
    writeFileSync(join(run.home.run, 'engine'), '0.0.1\n');
    await expect(other.up(quiet)).rejects.toMatchObject({
      code: 'ANL-5007',
      why: expect.stringContaining('the services that run are of anneal 0.0.1') as string,
    });
    process.kill(supervisor, 'SIGCONT');
    const version = (): string => readFileSync(join(run.home.run, 'engine'), 'utf8');
    await expect.poll(version, { timeout: 30_000 }).not.toContain('0.0.1');
    await other.up(quiet);
  });

  test('leave a look short when the worker is gone for good', async () => {
    await run.start(files, 1);
    for (const name of ['supervisor', 'worker']) {
      process.kill(readPidFile(join(run.home.run, `${name}.pid`))?.pid ?? 0, 'SIGKILL');
    }
    const began = Date.now();
    expect(await other.live(run.lock)).toMatchObject({ run: 'running' });
    await other.close();
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  test('come back to a finished experiment, and are refused over a ledger that was lost', async () => {
    await run.engine.up(quiet);
    await run.complete();
    await run.engine.down({ now: false }, quiet);
    const ledger = readFileSync(run.home.ledger);
    rmSync(run.home.ledger);
    await expect(run.engine.up(quiet)).rejects.toMatchObject({ code: 'ANL-6001', exit: 6 });
    writeFileSync(run.home.ledger, ledger);
  });

  test('say their last words when they cannot be started', async () => {
    await run.engine.down({ now: false }, quiet);
    for (const suffix of ['-wal', '-shm']) rmSync(`${run.home.ledger}${suffix}`, { force: true });
    writeFileSync(run.home.ledger, 'no database at all\n'.repeat(10_000));
    const began = Date.now();
    await expect(run.engine.up(quiet)).rejects.toMatchObject({
      code: 'ANL-5007',
      why: expect.stringMatching(/its last words: .*not a database/),
    });
    expect(Date.now() - began).toBeLessThan(50_000);
  });
});

function rmFile(name: string): void {
  rmSync(join(run.home.run, name));
}
