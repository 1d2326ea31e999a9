import { once } from 'node:events';
import { type Server, type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPidFile } from '../../../src/services/processes/pid-file.ts';
import { taskQueueOf } from '../../../src/services/temporal/task-queue.ts';
import { currentTemporalAddress } from '../../../src/services/temporal/temporal-address.ts';
import { connectTemporal } from '../../../src/services/temporal/temporal-connection.ts';
import { WholeRun } from '../../support/whole-run.ts';

let run: WholeRun;
const neighbours: Server[] = [];

beforeAll(() => {
  run = new WholeRun();
});

afterAll(async () => {
  for (const neighbour of neighbours) neighbour.close();
  await run.remove();
});

const addressOf = (): string => currentTemporalAddress(run.home, {})?.address ?? '';

/** Listen at a port as soon as it is free. */
async function takePort(address: string): Promise<void> {
  const port = Number(address.split(':')[1]);
  const sockets = new Set<Socket>();
  for (let tries = 0; tries < 1_000; tries++) {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    const taken = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (await taken) {
      neighbours.push(server);
      server.once('close', () => sockets.forEach((socket) => socket.destroy()));
      return;
    }
    await sleep(2);
  }
  throw new Error(`port ${port} did not become free`);
}

test('Temporal moves to another port where a neighbour took its own, and everything finds it there', async () => {
  await run.engine.up(() => {});
  const before = addressOf();
  process.kill(readPidFile(join(run.home.run, 'temporal.pid'))?.pid ?? 0, 'SIGKILL');
  await takePort(before);

  const services = await run.engine.up(() => {});
  expect(services.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
  expect(addressOf()).not.toBe(before);
  expect(services[0]?.detail).toBe(addressOf());
  expect(await run.engine.leftBehind()).toEqual([]);
  const client = await connectTemporal(addressOf(), 5_000);
  const polled = async (): Promise<boolean> => {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace: 'default',
      taskQueue: { name: taskQueueOf(run.home) },
    });
    return (pollers ?? []).length > 0;
  };
  while (!(await polled())) await sleep(50);
  await client.connection.close();
}, 60_000);
