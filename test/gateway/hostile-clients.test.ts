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

async function neighbourAnswers(): Promise<number> {
  const other = new FrontClient(await fixture.control.openLease(leaseRequest('b')));
  const started = performance.now();
  expect((await other.post(1, ask('hello'))).status).toBe(200);
  await other.close();
  return performance.now() - started;
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
  expect(await neighbourAnswers()).toBeLessThan(1000);
});

it('a lease has four connections, others are turned away, and neighbours notice nothing', async () => {
  const held: Socket[] = [];
  const four = Array.from({ length: 4 }, () => raw('', 700, (socket) => held.push(socket)));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const fifth = await raw(head('content-length: 2\r\n') + '{}', 500);
  expect(fifth).toEqual({ text: '', closed: true });
  expect(await neighbourAnswers()).toBeLessThan(1000);
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

it('a flood of large refused requests leaves neighbours their pace', async () => {
  const flood = new FrontClient(lease);
  const big = { messages: [{ role: 'root', content: 'x'.repeat(4_000_000) }] };
  const flooding = new AbortController();
  const work = (async () => {
    while (!flooding.signal.aborted) await flood.post(1, big);
  })();
  const neighbour = new FrontClient(await fixture.control.openLease(leaseRequest('b')));
  const times: number[] = [];
  for (let call = 1; call <= 20; call += 1) {
    const started = performance.now();
    expect((await neighbour.post(call, ask(`step ${call}`))).status).toBe(200);
    times.push(performance.now() - started);
  }
  flooding.abort();
  await work;
  await flood.close();
  await neighbour.close();
  expect(times.toSorted((one, other) => one - other)[10]).toBeLessThan(250);
});

it('texts made to be slow to count hold nobody up', async () => {
  const slow = new FrontClient(lease);
  const counted = slow.post(1, ask('数据表格中的汇总'.repeat(20_000)));
  const times: number[] = [];
  const neighbour = new FrontClient(await fixture.control.openLease(leaseRequest('b')));
  for (let call = 1; call <= 5; call += 1) {
    const started = performance.now();
    await neighbour.post(call, ask(`step ${call}`));
    times.push(performance.now() - started);
  }
  expect((await counted).status).toBe(200);
  expect(Math.max(...times.slice(1))).toBeLessThan(1000);
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
