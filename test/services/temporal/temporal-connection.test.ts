import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connectTemporal } from '../../../src/services/temporal/temporal-connection.ts';

/** Two that wait for the same server, one a little later: by default they would share their tries and a growing pause. */
const apartMs = 1_000;
/** By then such a pause is longer than `openMs`. */
const closedMs = 3_300;
const openMs = 1_000;

test('a server that came up late is asked again within a second, however long nobody answered and whoever else waits', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');

  const connect = (): Promise<unknown> =>
    connectTemporal(`127.0.0.1:${port}`, closedMs).catch((error: unknown) => error);
  const waiting = [connect(), sleep(apartMs).then(connect)];
  await sleep(closedMs);
  const asked: Socket[] = [];
  server.on('connection', (socket: Socket) => asked.push(socket));
  server.listen(port, '127.0.0.1');
  await sleep(openMs);
  expect(asked.length).toBeGreaterThan(0);
  server.close();
  for (const socket of asked) socket.destroy();
  await Promise.all(waiting);
});
