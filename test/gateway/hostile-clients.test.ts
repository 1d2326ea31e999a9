import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Lease } from '../../src/schema/lease.ts';
import { FrontClient, ask, binding, leaseRequest, registration, startGateway } from '../support/gateway-fixture.ts';
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';

let provider: ProviderServer;
let fixture: GatewayFixture;
let lease: Lease;

beforeEach(async () => {
  provider = await startProviderServer();
  fixture = await startGateway({ policy: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 5000 })));
  lease = await fixture.control.openLease(leaseRequest('a'));
});
afterEach(async () => {
  await fixture.close();
  await provider.close();
});

/** Sends raw bytes; resolves with what came back when the gateway closed the connection, or after `waitMs`. */
function raw(
  bytes: string | Buffer,
  waitMs = 3000,
  keep?: (socket: Socket) => void,
): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(join(lease.socketDirectory, 'gateway.sock'));
    let text = '';
    const timer = setTimeout(() => {
      socket.destroy();
      resolve({ text, closed: false });
    }, waitMs);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ text, closed: true });
    });
    socket.write(bytes);
    keep?.(socket);
  });
}

const head = (extra: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${lease.token}\r\nx-anneal-call: 1\r\ncontent-type: application/json\r\n${extra}\r\n`;

async function neighbourAnswers(): Promise<void> {
  const other = new FrontClient(await fixture.control.openLease(leaseRequest('b')));
  expect((await other.post(1, ask('hello'))).status).toBe(200);
  await other.close();
}

it('Content-Length beside chunked encoding is refused', async () => {
  const { text, closed } = await raw(head('content-length: 5\r\ntransfer-encoding: chunked\r\n') + '0\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 400/);
  expect(closed).toBe(true);
  expect(provider.seen).toHaveLength(0);
});

it('two lengths that differ are refused', async () => {
  expect((await raw(head('content-length: 5\r\ncontent-length: 6\r\n') + '{}')).text).toMatch(/^HTTP\/1\.1 400/);
});

it('a compressed body is refused unread, whatever it would unpack to', async () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  const { text } = await raw(
    Buffer.concat([Buffer.from(head(`content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n`)), bomb]),
    1000,
  );
  expect(text).toMatch(/^HTTP\/1\.1 415/);
  expect(text).toContain('content_encoding');
});

it.each([
  ['announced', 'content-length: 9000000\r\n', ''],
  ['chunked', 'transfer-encoding: chunked\r\n', `${(9_000_000).toString(16)}\r\n${'x'.repeat(9_000_000)}\r\n0\r\n\r\n`],
])('a body over 8 MB, %s, is refused and the connection closed', async (_, header, body) => {
  const { text, closed } = await raw(head(header) + body);
  expect(text).toMatch(/^HTTP\/1\.1 413/);
  expect(text).toContain('body_too_large');
  expect(closed).toBe(true);
});

it('a client that sends its headers, or its body, byte by byte is cut off', async () => {
  const [headers, body] = await Promise.all([
    raw('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-slow: ', 4000),
    raw(`${head('content-length: 500\r\n')}{"mess`, 4000),
  ]);
  expect(headers.closed).toBe(true);
  expect(body.closed).toBe(true);
  await neighbourAnswers();
});

it('a lease has four connections, others are turned away, and neighbours notice nothing', async () => {
  const held: Socket[] = [];
  const four = Array.from({ length: 4 }, () => raw('', 30_000, (socket) => held.push(socket)));
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  const fifth = await raw(head('content-length: 2\r\n') + '{}');
  expect(fifth).toEqual({ text: '', closed: true });
  await neighbourAnswers();
  for (const socket of held) socket.destroy();
  await Promise.all(four);
});

it('two hundred parallel calls of one number are paid once, and a limit of 80 is met exactly', async () => {
  const { limits, attemptKey } = leaseRequest('c', { limits: { calls: 80, tokens: 2_000_000 } });
  const flooded = await fixture.control.openLease(leaseRequest('c', { limits }));
  const clients = Array.from({ length: 4 }, () => new FrontClient(flooded));
  const replies = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => clients[index % 4]?.post(1, ask('same'))),
  );
  expect(new Set(replies.map((reply) => reply?.text)).size).toBe(1);
  expect(provider.bill.calls).toBe(1);
  const [client] = clients;
  let refused = 0;
  for (let call = 2; call <= 90; call += 1) {
    const reply = await client?.post(call, ask(`step ${call}`));
    if (reply?.status === 200) continue;
    refused += 1;
    expect(reply?.body).toMatchObject({ error: { type: refused === 1 ? 'call_limit' : 'call_conflict' } });
  }
  expect(provider.bill.calls).toBe(80);
  expect(await fixture.control.leaseUsage({ attemptKey, epoch: 1 })).toMatchObject({ calls: 80, limitHit: 'calls' });
  for (const each of clients) await each.close();
});

it('a flood of large refused requests never comes between two answers of a neighbour again and again, and is never paid', async () => {
  const floods = Array.from({ length: 2 }, () => new FrontClient(lease));
  // Written once: what the flood costs is to be the gateway's work alone.
  const big = `{"messages":[{"role":"root","content":[${Array.from({ length: 800_000 }, () => '{}').join(',')}]}]}`;
  const flooding = new AbortController();
  const order: ('flood' | 'neighbour')[] = [];
  const work = floods.map(async (flood) => {
    while (!flooding.signal.aborted) {
      // What waits too long for its turn is cut off, which is as good.
      await flood.post(1, big).catch(() => null);
      order.push('flood');
    }
  });
  const neighbour = new FrontClient(await fixture.control.openLease(leaseRequest('b')));
  for (let call = 1; call <= 20; call += 1) {
    expect((await neighbour.post(call, ask(`step ${call}`))).status).toBe(200);
    order.push('neighbour');
  }
  flooding.abort();
  await Promise.all(work);
  for (const client of [...floods, neighbour]) await client.close();
  const between = order.join(' ').split('neighbour').slice(1, -1);
  const runs = between.map((run) => run.split('flood').length - 1);
  expect(Math.max(...runs)).toBeLessThanOrEqual(2 * floods.length);
  expect(order).toContain('flood');
  expect(provider.bill.calls).toBe(20);
});

it('while a text made to be slow to count is counted, a neighbour that came after it is answered', async () => {
  const slow = new FrontClient(lease);
  const order: string[] = [];
  const counted = slow.post(1, ask('数据表格中的汇总'.repeat(20_000))).then((reply) => {
    order.push('slow');
    return reply;
  });
  const neighbour = new FrontClient(await fixture.control.openLease(leaseRequest('b')));
  for (let call = 1; call <= 5; call += 1) {
    await neighbour.post(call, ask(`step ${call}`));
    order.push(`neighbour ${call}`);
  }
  expect((await counted).status).toBe(200);
  expect(order[0]).toBe('neighbour 1');
  await slow.close();
  await neighbour.close();
});

it.each([
  [
    'a schema',
    (nested: string) =>
      `{"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"a":${nested}}}}]}`,
  ],
  [
    'arguments',
    (nested: string) =>
      `{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":${nested}}}]}]}`,
  ],
  ['a body', (nested: string) => nested],
])('%s nested two hundred thousand deep is an invalid request', async (_, body) => {
  const client = new FrontClient(lease);
  const reply = await client.post(1, body('['.repeat(200_000) + ']'.repeat(200_000)));
  expect(reply).toMatchObject({ status: 400, body: { error: { type: 'invalid_request' } } });
  await client.close();
  expect(provider.seen).toHaveLength(0);
  await neighbourAnswers();
});
