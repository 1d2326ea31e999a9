import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';

const pausesMs = [50, 100, 250, 500, 1_000, 2_000];

/**
 * Post one numbered chat completion to a lease's socket. While the gateway is away the call is repeated under its number,
 * which is safe: it returns the recorded answer when it has one. Any HTTP status is a value; only an abort throws.
 */
export async function callLease(request: {
  readonly socket: string;
  readonly token: string;
  readonly call: number;
  readonly body: unknown;
  readonly signal: AbortSignal;
}): Promise<{ readonly status: number; readonly body: unknown }> {
  for (let attempt = 0; ; attempt++) {
    request.signal.throwIfAborted();
    const client = new Client('http://gateway', { socketPath: request.socket, bodyTimeout: 0, headersTimeout: 0 });
    try {
      const response = await client.request({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: {
          authorization: `Bearer ${request.token}`,
          'content-type': 'application/json',
          'x-anneal-call': String(request.call),
        },
        body: JSON.stringify(request.body),
        signal: request.signal,
      });
      return { status: response.statusCode, body: await response.body.json() };
    } catch {
      request.signal.throwIfAborted();
      await sleep(pausesMs[Math.min(attempt, pausesMs.length - 1)], undefined, { signal: request.signal });
    } finally {
      await client.close().catch(() => undefined);
    }
  }
}
