import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { portHolder } from '../../src/adapters/port-holder.ts';

describe('the holder of a port', () => {
  test('is this process, another one, or nobody once it is closed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(portHolder(process.pid, port)).toBe('this');
    expect(portHolder(process.ppid, port)).toBe('other');
    expect(portHolder(2 ** 30, port)).toBe('other');
    server.close();
    await once(server, 'close');
    expect(portHolder(process.pid, port)).toBe('nobody');
  });
});
