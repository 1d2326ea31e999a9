import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallRow } from '../../src/schema/call-row.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import {
  EXPERIMENT,
  FrontClient,
  ask,
  binding,
  leaseRequest,
  registration,
  startGateway,
} from '../support/gateway-fixture.ts';
import type { FrontReply, GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer, Script } from '../support/provider-server.ts';

const id = ExperimentId.parse(EXPERIMENT);
let provider: ProviderServer;
let fixture: GatewayFixture;
let attempts = 0;

beforeAll(async () => {
  provider = await startProviderServer();
  fixture = await startGateway({ policy: { maxRetries: 2 } });
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 300 })));
  await callOnce([], false);
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});
beforeEach(() => {
  attempts += 1;
});

interface Seen {
  readonly reply: FrontReply;
  readonly rows: readonly CallRow[];
  readonly bill: { readonly calls: number; readonly tokens: number };
}

async function callOnce(scripts: readonly Script[], stream: boolean): Promise<Seen> {
  const before = { ...provider.bill };
  // What an earlier row halted is lifted.
  await fixture.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 300 })));
  const lease = await fixture.control.openLease(leaseRequest(`${attempts.toString(16)}e`));
  provider.script(...scripts);
  const client = new FrontClient(lease);
  const reply = await client.post(1, ask('Sum the sheet of March.', { stream }));
  await client.close();
  await fixture.control.closeLease({ attemptKey: lease.attemptKey, epoch: 1, lease: 1 });
  const { calls } = await fixture.control.listCalls({ experimentId: id });
  const rows = calls.filter((row) => row.attemptKey === lease.attemptKey);
  return {
    reply,
    rows,
    bill: { calls: provider.bill.calls - before.calls, tokens: provider.bill.tokens - before.tokens },
  };
}

const thrice = (script: Script): Script[] => [script, script, script];
const overflow = {
  error: {
    message: "This model's maximum context length is 8192 tokens",
    code: 'context_length_exceeded',
    type: 'invalid_request_error',
  },
};
const filtered = {
  error: {
    message: 'The response was filtered by the content policy',
    code: 'content_filter',
    type: 'invalid_request_error',
  },
};

/** What is scripted · what the client sees · the rows as `state code charged`, where full = the reservation. */
type Row = readonly [
  title: string,
  scripts: readonly Script[],
  status: number,
  type: string | null,
  rows: readonly string[],
];

const ok = 'settled - reported';
const PLAIN: readonly Row[] = [
  ['an answer', [], 200, null, [ok]],
  [
    'a 429 without Retry-After, then an answer',
    [{ kind: 'status', status: 429 }],
    200,
    null,
    ['rejected rate_limited 0', ok],
  ],
  [
    'a 429 with Retry-After, then an answer',
    [{ kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
    200,
    null,
    ['rejected rate_limited 0', ok],
  ],
  [
    'nothing but 429',
    thrice({ kind: 'status', status: 429 }),
    503,
    'provider_unavailable',
    Array.from({ length: 3 }, () => 'rejected rate_limited 0'),
  ],
  [
    'a 500, a 503, then an answer',
    [
      { kind: 'status', status: 500 },
      { kind: 'status', status: 503 },
    ],
    200,
    null,
    ['rejected http_500 0', 'rejected http_503 0', ok],
  ],
  ['a 408, then an answer', [{ kind: 'status', status: 408 }], 200, null, ['unknown provider_timeout full', ok]],
  ['a 401', [{ kind: 'status', status: 401 }], 503, 'provider_unavailable', ['rejected key_refused 0']],
  ['a 404', [{ kind: 'status', status: 404 }], 503, 'provider_unavailable', ['rejected model_unknown 0']],
  [
    'a used-up quota',
    [{ kind: 'status', status: 429, body: { error: { message: 'quota', code: 'insufficient_quota' } } }],
    503,
    'provider_unavailable',
    ['rejected credit_gone 0'],
  ],
  [
    'a context overflow',
    [{ kind: 'status', status: 400, body: overflow }],
    400,
    'context_overflow',
    ['rejected context_overflow 0'],
  ],
  ['an invalid request', [{ kind: 'status', status: 400 }], 400, 'invalid_request', ['rejected invalid_request 0']],
  [
    'a refusal by a content filter',
    [{ kind: 'status', status: 400, body: filtered }],
    400,
    'refusal',
    ['rejected refusal 0'],
  ],
  ['a connection reset, then an answer', [{ kind: 'reset' }], 200, null, ['unknown connection_lost full', ok]],
  [
    'a reply lost after billing, then an answer',
    [{ kind: 'lost-reply' }],
    200,
    null,
    ['unknown connection_lost full', ok],
  ],
  ['a stall, billed, then an answer', [{ kind: 'stall', billed: true }], 200, null, ['unknown timeout full', ok]],
  [
    'nothing but stalls',
    thrice({ kind: 'stall' }),
    503,
    'provider_unavailable',
    Array.from({ length: 3 }, () => 'unknown timeout full'),
  ],
  [
    'a page of HTML with status 200, then an answer',
    [{ kind: 'html' }],
    200,
    null,
    ['unknown reply_not_json full', ok],
  ],
  [
    'an error object with status 200, then an answer',
    [{ kind: 'error-object' }],
    200,
    null,
    ['unknown error_with_status_200 full', ok],
  ],
  ['usage that is null', [{ kind: 'no-usage', how: 'null' }], 200, null, ['settled - full']],
  ['usage that is missing', [{ kind: 'no-usage', how: 'missing' }], 200, null, ['settled - full']],
  ['usage of no prompt tokens', [{ kind: 'no-usage', how: 'zero' }], 200, null, ['settled - full']],
  ['another served model', [{ kind: 'served', model: 'office-1-mini' }], 200, null, [ok]],
];
const ONLY_PLAIN: readonly Row[] = [
  ['JSON that is cut, then an answer', [{ kind: 'cut' }], 200, null, ['unknown reply_not_json full', ok]],
  [
    'a list as content',
    [{ kind: 'message', message: { content: [{ type: 'text', text: 'in parts' }] } }],
    200,
    null,
    [ok],
  ],
  ['content that is absent', [{ kind: 'message', message: {} }], 200, null, [ok]],
  [
    'a malformed tool call',
    [{ kind: 'message', message: { content: null, tool_calls: [{ function: { arguments: '{"a' } }] } }],
    200,
    null,
    [ok],
  ],
  ['a refusal in a reply', [{ kind: 'message', message: { content: null, refusal: 'I will not.' } }], 200, null, [ok]],
  [
    'choices that are no list',
    [{ kind: 'message', message: { content: 5 } }],
    200,
    null,
    ['unknown reply_malformed full', ok],
  ],
];

function figures(row: CallRow): string {
  const charged = row.basis === 'reported' ? 'reported' : row.charged === row.reserved ? 'full' : String(row.charged);
  return `${row.state} ${row.code ?? '-'} ${charged}`;
}

describe.each([
  { stream: false, table: [...PLAIN, ...ONLY_PLAIN] },
  { stream: true, table: PLAIN },
])('a call with stream: $stream that meets', ({ stream, table }) => {
  it.each(table)('%s', async (_, scripts, status, type, expected) => {
    const { reply, rows, bill } = await callOnce(scripts, stream);
    expect({
      status: reply.status,
      type: (reply.body?.['error'] as { type?: string } | undefined)?.type ?? null,
    }).toEqual({ status, type });
    expect(rows.map(figures)).toEqual(expected);
    const charged = rows.reduce((sum, row) => sum + (row.charged ?? 0), 0);
    const reported = rows.reduce((sum, row) => sum + (row.reportedInput ?? 0) + (row.reportedOutput ?? 0), 0);
    expect(charged).toBeGreaterThanOrEqual(bill.tokens);
    expect(reported).toBeLessThanOrEqual(charged);
    expect(rows.map((row) => row.retryIndex)).toEqual(rows.map((_row, index) => index));
    const isExact = expected.every((row) => row === ok || row.startsWith('rejected'));
    expect(charged - bill.tokens).toBeLessThanOrEqual(isExact ? 0 : Number.POSITIVE_INFINITY);
  });
});

it('a stream that breaks after its first piece ends in an error event, is charged in full and not sent again by itself', async () => {
  const { reply, rows, bill } = await callOnce([{ kind: 'cut' }], true);
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('"content":"All"');
  expect(reply.text).toContain('"type":"provider_unavailable"');
  expect(reply.text).not.toContain('[DONE]');
  expect(rows.map(figures)).toEqual([
    expect.stringMatching(/^unknown (stream_cut|reply_broken|connection_lost) full$/),
  ]);
  expect(rows[0]?.charged).toBeGreaterThanOrEqual(bill.tokens);
});

it('keeps the ledger at or above the bill of the provider over all of the above, and its totals equal to its rows', async () => {
  const audit = await fixture.control.auditLedger({ experimentId: id });
  expect(audit.mismatches).toEqual([]);
  expect(audit.unsettled).toBe(0);
  expect(audit.charged).toBeGreaterThanOrEqual(provider.bill.tokens);
  const usage = await fixture.control.usage({ experimentId: id });
  expect(usage.unknown).toHaveLength(usage.roles[0]?.unknownRows ?? -1);
});
