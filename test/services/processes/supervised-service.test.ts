import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPidFile } from '../../../src/services/processes/pid-file.ts';
import type { ServiceSpecification } from '../../../src/services/processes/service-specification.ts';
import { SupervisedService } from '../../../src/services/processes/supervised-service.ts';

let folder: string;
let service: SupervisedService;

const specification = (): ServiceSpecification => ({
  name: 'worker',
  command: '/bin/sh',
  parameters: ['-c', 'echo started; exec sleep 600'],
  environment: {},
  pidFile: join(folder, 'run', 'worker.pid'),
  log: join(folder, 'logs', 'worker.log'),
  socket: join(folder, 'worker.sock'),
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-service-'));
  writeFileSync(join(folder, 'worker.sock'), '');
  service = new SupervisedService(specification(), pino({ level: 'silent' }));
  service.start();
});

afterEach(async () => {
  await service.stop(2_000);
  rmSync(folder, { recursive: true });
});

const pidFile = (): string => specification().pidFile;
const starts = (): number => readFileSync(specification().log, 'utf8').trimEnd().split('\n').length;

async function until(holds: () => boolean, seconds = 20): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 40 * seconds) throw new Error(`it did not come about in ${seconds} s`);
    await sleep(25);
  }
}

describe('a supervised service', () => {
  test.each([
    ['deleted', (): void => rmSync(pidFile())],
    ['deleted with its folder', (): void => rmSync(join(folder, 'run'), { recursive: true })],
    ['damaged', (): void => writeFileSync(pidFile(), 'no pid')],
    ['made to name a process that is gone', (): void => writeFileSync(pidFile(), '999999 1')],
  ])('is not started twice when its pid file is %s, and stands there again', async (_, damage) => {
    await until(() => readPidFile(pidFile()) !== null);
    const before = readPidFile(pidFile());
    damage();
    await until(() => readPidFile(pidFile()) !== null);
    expect(readPidFile(pidFile())).toEqual(before);
    expect(starts()).toBe(1);
  });

  test('is started again when it was killed, also when its log folder is gone', async () => {
    await until(() => readPidFile(pidFile()) !== null);
    const before = readPidFile(pidFile());
    rmSync(join(folder, 'logs'), { recursive: true });
    process.kill(before?.pid ?? 0, 'SIGKILL');
    await until(() => (readPidFile(pidFile())?.pid ?? before?.pid) !== before?.pid);
    await until(() => starts() === 1);
    expect(starts()).toBe(1);
  });

  test('is started again when its socket stays away', async () => {
    await until(() => readPidFile(pidFile()) !== null);
    const before = readPidFile(pidFile());
    rmSync(join(folder, 'worker.sock'));
    await until(() => (readPidFile(pidFile())?.pid ?? before?.pid) !== before?.pid, 40);
    writeFileSync(join(folder, 'worker.sock'), '');
    await until(() => starts() === 2);
    expect(starts()).toBe(2);
  });

  test('is gone with its pid file once it was stopped, and stays so', async () => {
    await until(() => readPidFile(pidFile()) !== null);
    await service.stop(2_000);
    await sleep(600);
    expect(readPidFile(pidFile())).toBeNull();
  });
});
