import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOpenAiProvider } from '../../../src/adapters/providers/openai.ts';
import { binding } from '../../support/gateway-fixture.ts';
import { helloRequest } from '../../support/hello-request.ts';
import { startProviderServer } from '../../support/provider-server.ts';
import type { ProviderServer } from '../../support/provider-server.ts';

const never = new AbortController().signal;
let server: ProviderServer;

beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(async () => server.close());

const provider = (changes = {}, key: string | null = null) =>
  createOpenAiProvider({
    binding: binding(server.baseUrl, { timeoutMs: 3000, ...changes }),
    key,
    redact: (text) => text,
  });

it('without a key no authorization is sent, with one it is', async () => {
  await provider().call(helloRequest, { stream: false, signal: never, attempt: 0 });
  expect(server.seen.at(-1)?.headers.authorization).toBeUndefined();
  await provider({}, 'k-123456').call(helloRequest, { stream: false, signal: never, attempt: 0 });
  expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer k-123456');
});

it('a server that cannot be reached costs nothing and may be tried again', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const result = await provider({ baseUrl: `http://127.0.0.1:${port}/v1` }).call(helloRequest, {
    stream: false,
    signal: never,
    attempt: 0,
  });
  expect(result).toMatchObject({ kind: 'rejected', fault: 'infrastructure', code: 'not_reachable', retryable: true });
});

it('a request given up is of unknown end and not to be tried again', async () => {
  const controller = new AbortController();
  const before = server.seen.length;
  server.script({ kind: 'stall' });
  const call = provider().call(helloRequest, { stream: false, signal: controller.signal, attempt: 0 });
  await server.arrived(before + 1);
  controller.abort();
  expect(await call).toMatchObject({ kind: 'unknown', code: 'aborted', retryable: false });
  expect(await provider().call(helloRequest, { stream: true, signal: controller.signal, attempt: 0 })).toMatchObject({
    kind: 'unknown',
    code: 'aborted',
  });
});

it('the time-out is one of silence: a stream that keeps talking may take longer', async () => {
  server.script({ kind: 'slow-stream', gapMs: 250 });
  const result = await provider({ timeoutMs: 450 }).call(helloRequest, { stream: true, signal: never, attempt: 0 });
  expect(result).toMatchObject({ kind: 'answered' });
});

it('a server that answers a stream request as a whole is understood', async () => {
  const deltas: unknown[] = [];
  server.script({
    kind: 'status',
    status: 200,
    body: { choices: [{ message: { content: 'whole' } }], usage: { prompt_tokens: 3, completion_tokens: 1 } },
  });
  const result = await provider().call(helloRequest, {
    stream: true,
    signal: never,
    attempt: 0,
    onDelta: (delta) => deltas.push(delta),
  });
  expect(result).toMatchObject({
    kind: 'answered',
    response: { content: [{ text: 'whole' }], usage: { inputTokens: 3 } },
  });
});

it('an error event in a stream is a lost request', async () => {
  server.script({ kind: 'error-stream' });
  const result = await provider().call(helloRequest, { stream: true, signal: never, attempt: 0 });
  expect(result).toMatchObject({ kind: 'unknown', code: 'error_in_stream', retryable: true });
});
