import { Readable } from 'node:stream';
import { Agent, request } from 'undici';

/** No time-outs of its own: how long a provider may be silent is the experiment's to say, and may be an hour. */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 10_000, keepAliveTimeout: 4000 });

/** `fetch` for a provider's SDK on plain requests: the same replies at a fraction of the work. */
export const providerFetch: typeof globalThis.fetch = async (url, init = {}) => {
  const { method = 'GET', headers, body, signal } = init;
  const reply = await request(url instanceof Request ? url.url : url, {
    dispatcher,
    method: method as 'GET' | 'POST',
    headers: Object.fromEntries(new Headers(headers).entries()),
    body: typeof body === 'string' ? body : null,
    signal: signal ?? null,
  });
  const replied = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value !== undefined) replied.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const streamed = replied.get('content-type')?.includes('text/event-stream') === true;
  const content = streamed ? (Readable.toWeb(reply.body) as unknown as ReadableStream) : await reply.body.text();
  return new Response(reply.statusCode === 204 ? null : content, { status: reply.statusCode, headers: replied });
};
