import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnthropicProvider } from '../../../src/adapters/providers/anthropic.ts';
import { createOpenAiProvider } from '../../../src/adapters/providers/openai.ts';
import type { Wire } from '../../../src/schema/model-call.ts';
import { binding, speaking } from '../../support/gateway-fixture.ts';
import { helloRequest } from '../../support/hello-request.ts';

/** Bodies as they come back; null for the error of the wire's own provider. */
const BODIES: Readonly<Record<string, string | null>> = {
  'the error of the provider itself': null,
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
const OWN: Readonly<Record<Wire, string>> = {
  chat: '{"error":{"message":"m","type":"server_error","param":null,"code":null}}',
  responses: '{"error":{"message":"m","type":"server_error","param":null,"code":null}}',
  messages: '{"type":"error","error":{"type":"api_error","message":"m"},"request_id":"r"}',
};
const OF_A_PROXY = [408, 499, 502, 504, 520, 521, 522, 523, 524];
const CLEAR = [429, 500, 501, 503, 525, 526, 529, 530];
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
    it.each(Object.entries(BODIES))('with %s is charged where its status may hide billed work', async (_, text) => {
      const ends = async (statuses: readonly number[]): Promise<string[]> => {
        const found: string[] = [];
        for (const status of statuses) found.push(`${status} ${await endOf(wire, status, text ?? OWN[wire], stream)}`);
        return found;
      };
      const hidden = text === null ? 'rejected' : 'unknown';
      expect(await ends(OF_A_PROXY)).toEqual(OF_A_PROXY.map((status) => `${status} ${hidden}`));
      expect(await ends(CLEAR)).toEqual(CLEAR.map((status) => `${status} rejected`));
    });
  },
);
