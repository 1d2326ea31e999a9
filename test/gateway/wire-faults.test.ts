import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallRow } from '../../src/schema/call-row.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import type { Wire } from '../../src/schema/model-call.ts';
import {
  FRONT_PATHS,
  FrontClient,
  askOn,
  binding,
  leaseRequest,
  registration,
  speaking,
  startGateway,
} from '../support/gateway-fixture.ts';
import type { FrontReply, GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer, Script } from '../support/provider-server.ts';
import { FAULTS } from '../support/provider-wires/faults.ts';
import type { FaultName } from '../support/provider-wires/faults.ts';

/** How a call that meets a fault once ends: its rows as `state code charged`, where full = the reservation. */
interface Expected {
  readonly rows: readonly string[];
  /** The reply breaks off in an error event after its first piece. */
  readonly broken?: true;
}

const ok = 'settled - reported';
const after = (row: string): Expected => ({ rows: [row, ok] });
const answered: Expected = { rows: [ok] };
const unbilled: Expected = { rows: ['settled - full'] };
const timeout = after('unknown timeout full');
const lost = after('unknown connection_lost full');

const EXPECTED: Readonly<Record<FaultName, Expected | { readonly whole: Expected; readonly stream: Expected }>> = {
  'a 429': after('rejected rate_limited 0'),
  'a 429 with Retry-After': after('rejected rate_limited 0'),
  'a 500': after('rejected http_500 0'),
  'a 503': after('rejected http_503 0'),
  'a 529': after('rejected http_529 0'),
  'a 502 of a proxy': after('unknown http_502 full'),
  'a 504 of a proxy after billing': after('unknown http_504 full'),
  'a 408 in the words of the provider': after('unknown provider_timeout full'),
  'a typed 504 after billing': after('unknown http_504 full'),
  'a typed 524 after billing': after('unknown http_524 full'),
  'a 502 in the words of the provider': after('rejected http_502 0'),
  'a connection reset': lost,
  'a stall': timeout,
  'a stall after billing': timeout,
  'a reply lost after billing': lost,
  'a cut reply': {
    whole: after('unknown reply_not_json full'),
    stream: { rows: ['unknown reply_broken full'], broken: true },
  },
  'an error in the stream': { whole: answered, stream: { rows: ['unknown error_in_stream full'], broken: true } },
  'usage of null': unbilled,
  'usage left out': unbilled,
  'usage of nothing': unbilled,
  'a list as content': answered,
  'absent content': answered,
  'a malformed tool call': answered,
  'an unknown tool': answered,
  'a refusal': answered,
  'HTML with status 200': after('unknown reply_not_json full'),
  'an error object with status 200': after('unknown error_with_status_200 full'),
  'another served model': answered,
};

const WIRES: readonly Wire[] = ['chat', 'responses', 'messages'];
let attempts = 0;

describe.each(
  WIRES.flatMap((wire) => [true, false].map((stream) => ({ wire, stream, how: stream ? 'stream' : 'whole' }))),
)('a call by $wire, $how, that meets', ({ wire, stream, how }) => {
  const id = ExperimentId.parse('exp_0000000a');
  let provider: ProviderServer;
  let fixture: GatewayFixture;

  beforeAll(async () => {
    provider = await startProviderServer({ strict: true });
    fixture = await startGateway({ policy: { maxRetries: 2 } });
    const model = binding(provider.baseUrl, { ...speaking(wire), timeoutMs: 300 });
    await fixture.control.registerExperiment(registration(model));
    // The first call of a process may be slower than the time-out.
    await called([]);
  });
  afterAll(async () => {
    await fixture.close();
    await provider.close();
  });

  async function called(
    script: readonly Script[],
  ): Promise<{ reply: FrontReply; rows: readonly CallRow[]; billed: number }> {
    attempts += 1;
    const before = provider.bill.tokens;
    const lease = await fixture.control.openLease(leaseRequest(`${attempts.toString(16)}e`));
    provider.script(...script);
    const client = new FrontClient(lease);
    const reply = await client.post(1, askOn(wire, 'Sum the sheet of March.', { stream }), {}, FRONT_PATHS[wire]);
    await client.close();
    await fixture.control.closeLease({ attemptKey: lease.attemptKey, epoch: 1, lease: 1 });
    const { calls } = await fixture.control.listCalls({ experimentId: id });
    const rows = calls.filter((row) => row.attemptKey === lease.attemptKey);
    return { reply, rows, billed: provider.bill.tokens - before };
  }

  it.each(Object.keys(FAULTS) as FaultName[])(
    '%s ends as it should and is charged no less than was billed',
    async (name) => {
      const { reply, rows, billed } = await called([FAULTS[name]]);
      const entry = EXPECTED[name];
      const expected = 'rows' in entry ? entry : entry[how as 'stream' | 'whole'];
      expect(rows.map(figures)).toEqual(expected.rows);
      expect(reply.status).toBe(200);
      expect(/provider_unavailable/.test(reply.text)).toBe(expected.broken === true);
      const charged = sum(rows.map((row) => row.charged));
      const atBound = rows.filter((row) => row.basis === 'upperBound');
      expect(charged).toBeGreaterThanOrEqual(billed);
      expect(charged - billed).toBeLessThanOrEqual(sum(atBound.map((row) => row.reserved)));
    },
  );

  it('nothing else, is told apart by cache reads, cache writes and reasoning as the provider billed it', async () => {
    const before = { ...provider.billed };
    const [row] = (await called([{ kind: 'answer', text: 'Done.', thought: 'I think of March.' }])).rows;
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = provider.billed;
    expect(row).toMatchObject({
      reportedInput: inputTokens - before.inputTokens,
      reportedOutput: outputTokens - before.outputTokens,
      cacheRead: cacheReadTokens - before.cacheReadTokens,
      cacheWrite: cacheWriteTokens - before.cacheWriteTokens,
      reasoning: reasoningTokens - before.reasoningTokens,
      streamed: stream,
    });
    expect(row?.reasoning).toBeGreaterThan(0);
  });

  it('all of these, has a ledger no lower than the bill, by no more than its rows at their bound', async () => {
    const audit = await fixture.control.auditLedger({ experimentId: id });
    const { calls } = await fixture.control.listCalls({ experimentId: id, limit: 1000 });
    expect(audit).toMatchObject({ mismatches: [], unsettled: 0, rows: calls.length });
    const excess = audit.charged - provider.bill.tokens;
    expect(excess).toBeGreaterThanOrEqual(0);
    expect(excess).toBeLessThanOrEqual(
      sum(calls.filter((row) => row.basis === 'upperBound').map((row) => row.reserved)),
    );
    expect(provider.flaws).toEqual([]);
  });
});

function figures(row: CallRow): string {
  const charged = row.basis === 'reported' ? 'reported' : row.charged === row.reserved ? 'full' : String(row.charged);
  return `${row.state} ${row.code ?? '-'} ${charged}`;
}

function sum(parts: readonly (number | null)[]): number {
  return parts.reduce<number>((total, figure) => total + (figure ?? 0), 0);
}
