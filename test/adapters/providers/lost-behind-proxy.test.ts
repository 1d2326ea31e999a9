import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnthropicProvider } from '../../../src/adapters/providers/anthropic.ts';
import { createOpenAiProvider } from '../../../src/adapters/providers/openai.ts';
import type { Wire } from '../../../src/schema/model-call.ts';
import { binding, speaking } from '../../support/gateway-fixture.ts';
import { helloRequest } from '../../support/hello-request.ts';

/** Errors in the words of the wire's own provider. */
const SIGNED = {
  'the error of the provider itself': { type: 'server_error', message: 'm' },
  'the time-out of the provider itself': { type: 'timeout_error', message: 'm' },
  'a time-out in the words of an error of the provider': { type: 'api_error', message: 'upstream request timed out' },
};

/** Bodies as they come back; null for one in the words of the wire's own provider. */
const BODIES: Readonly<Record<string, string | null>> = {
  'the error of the provider itself': null,
  'the time-out of the provider itself': null,
  'a time-out in the words of an error of the provider': null,
  'a page of HTML': '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
  'plain text': 'upstream request timeout',
  'nothing at all': '',
  'a message alone': '{"message":"Endpoint request timed out"}',
  'an error in words alone': '{"error":"upstream timed out"}',
  'an error without a type': '{"error":{"code":"504","message":"An error occurred with your deployment"}}',
  'an error whose type is null': '{"error":{"message":"Request timed out","type":null,"code":"408"}}',
  'details of a problem': '{"type":"about:blank","title":"Error 524","status":524,"error_code":524}',
  'half an object': '{"error":{"type":"server_err',
};
const ABOUT_TIME = new Set([
  'the time-out of the provider itself',
  'a time-out in the words of an error of the provider',
  'plain text',
  'a message alone',
  'an error in words alone',
  'an error whose type is null',
]);
const OF_TIME = [408, 504, 522, 524];
const OF_A_PROXY = [499, 502, 520, 521, 523];
const OF_SERVING = [500, 501, 503];
const CLEAR = [429, 525, 526, 529, 530];
const WIRES: readonly Wire[] = ['chat', 'responses', 'messages'];

let next = { status: 500, body: '' };
const server = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    const type = next.body.startsWith('{') ? 'application/json' : 'text/html';
    outgoing.writeHead(next.status, { 'content-type': type }).end(next.body);
  });
});
let baseUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function signed(wire: Wire, error: { readonly type: string; readonly message: string }): string {
  if (wire === 'messages') return JSON.stringify({ type: 'error', error, request_id: 'r' });
  return JSON.stringify({ error: { ...error, param: null, code: null } });
}

async function endOf(wire: Wire, status: number, body: string, stream: boolean): Promise<string> {
  next = { status, body };
  const options = { binding: binding(baseUrl, { ...speaking(wire), timeoutMs: 3_000 }), key: 'k-1', redact: String };
  const provider = wire === 'messages' ? createAnthropicProvider(options) : createOpenAiProvider(options);
  const result = await provider.call(helloRequest, { stream, signal: new AbortController().signal, attempt: 0 });
  expect(result).toMatchObject({ fault: 'infrastructure', retryable: true });
  return result.kind;
}

describe.each(WIRES.flatMap((wire) => [false, true].map((stream) => ({ wire, stream }))))(
  'by $wire, stream: $stream, a refusal',
  ({ wire, stream }) => {
    it.each(Object.entries(BODIES))('with %s is charged where it may hide billed work', async (name, text) => {
      const body = text ?? signed(wire, SIGNED[name as keyof typeof SIGNED]);
      const ends = async (statuses: readonly number[]): Promise<string[]> => {
        const found: string[] = [];
        for (const status of statuses) found.push(`${status} ${await endOf(wire, status, body, stream)}`);
        return found;
      };
      const all = (statuses: readonly number[], end: string): string[] => statuses.map((status) => `${status} ${end}`);
      // OpenAI's SDK hands out nothing of a body that has no error.
      const aboutTime = ABOUT_TIME.has(name) && (wire === 'messages' || name !== 'a message alone');
      expect(await ends(OF_TIME)).toEqual(all(OF_TIME, 'unknown'));
      expect(await ends(OF_A_PROXY)).toEqual(all(OF_A_PROXY, text === null && !aboutTime ? 'rejected' : 'unknown'));
      expect(await ends(OF_SERVING)).toEqual(all(OF_SERVING, aboutTime ? 'unknown' : 'rejected'));
      expect(await ends(CLEAR)).toEqual(all(CLEAR, 'rejected'));
    });
  },
);
