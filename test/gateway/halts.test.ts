import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExperimentId } from '../../src/schema/ids.ts';
import type { LeaseUsage } from '../../src/schema/lease.ts';
import type { GatewayPolicy } from '../../src/gateway/gateway-policy.ts';
import {
  EXPERIMENT,
  FrontClient,
  ask,
  binding,
  leaseRequest,
  registration,
  startGateway,
} from '../support/gateway-fixture.ts';
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer, Script } from '../support/provider-server.ts';

const id = ExperimentId.parse(EXPERIMENT);
let provider: ProviderServer;
let fixture: GatewayFixture;
let clients: FrontClient[] = [];

async function begin(policy: Partial<GatewayPolicy> = {}): Promise<void> {
  fixture = await startGateway({ policy: { maxRetries: 2, ...policy } });
  await register();
}

const register = (): Promise<unknown> =>
  fixture.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 300, servedModel: 'exact' })));

async function open(key: string, changes: Parameters<typeof leaseRequest>[1] = {}): Promise<FrontClient> {
  const client = new FrontClient(await fixture.control.openLease(leaseRequest(key, changes)));
  clients.push(client);
  return client;
}

const halts = async (): Promise<readonly object[]> => (await fixture.control.halts({ experimentId: id })).halts;
const usageOf = (key: string): Promise<LeaseUsage> =>
  fixture.control.leaseUsage({ attemptKey: leaseRequest(key).attemptKey, epoch: 1 });
const typeOf = ({ body }: { body: Record<string, unknown> | null }): unknown =>
  (body?.['error'] as { type?: string } | undefined)?.type ?? 'answered';
const status = (code: number, body?: object, headers?: Record<string, string>): Script => ({
  kind: 'status',
  status: code,
  ...(body === undefined ? {} : { body }),
  ...(headers === undefined ? {} : { headers }),
});
const error = (message: string, more: object = {}): object => ({
  error: { message, type: 'invalid_request_error', ...more },
});
const thrice = (script: Script): Script[] => [script, script, script];

beforeEach(async () => {
  provider = await startProviderServer();
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await fixture.close();
  await provider.close();
});

/** Each with what is scripted, the halt's kind and the setting it names. */
const AT_ONCE: readonly (readonly [string, Script, string, string | null])[] = [
  ['a wrong key', status(401, error('Incorrect API key provided: sk-…')), 'key_refused', null],
  ['a key without the right', status(403, error('no access')), 'key_refused', null],
  ['credit that is gone', status(402, error('Payment required')), 'credit_gone', null],
  ['a used-up quota', status(429, error('quota', { code: 'insufficient_quota' })), 'credit_gone', null],
  [
    'credit that is gone, told by a 400',
    status(400, error('Your credit balance is too low to access the API.')),
    'credit_gone',
    null,
  ],
  ['an unknown model', status(404, error('The model `office-9` does not exist')), 'model_unknown', null],
  ['another served model', { kind: 'served', model: 'office-2' }, 'served_model_changed', null],
  [
    'an unsupported seed',
    status(400, error("Unsupported parameter: 'seed' is not supported with this model.")),
    'setting_refused',
    'seed',
  ],
  [
    'an unsupported temperature, named by the error body',
    status(400, error('Only the default (1) value is supported.', { param: 'temperature', code: 'unsupported_value' })),
    'setting_refused',
    'sampling.temperature',
  ],
  [
    'max_tokens where max_completion_tokens is wanted',
    status(
      400,
      error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
    ),
    'setting_refused',
    'sampling.maxOutputTokens',
  ],
  [
    'an output cap beyond the model',
    status(400, error('max_tokens is too large: 100000. This model supports at most 16384 completion tokens.')),
    'setting_refused',
    'sampling.maxOutputTokens',
  ],
  [
    'an unknown argument',
    status(400, error('Unrecognized request argument supplied: reasoning_effort')),
    'setting_refused',
    'sampling.reasoningEffort',
  ],
  [
    'a field that a schema forbids',
    status(422, error('top_p: Extra inputs are not permitted')),
    'setting_refused',
    'sampling.topP',
  ],
  [
    'a model without tools',
    status(400, error('registry.example/library/office does not support tools')),
    'setting_refused',
    'model',
  ],
];

describe('a role is halted at once by', () => {
  it.each(AT_ONCE)('%s', async (_, script, kind, setting) => {
    await begin();
    provider.script(script);
    const client = await open('a');
    expect(typeOf(await client.post(1, ask('Sum the sheet.')))).toBe('provider_unavailable');
    expect(await halts()).toMatchObject([{ role: 'solver', kind, setting, until: null }]);
    expect((await usageOf('a')).unserved).not.toBeNull();
    expect(typeOf(await client.post(1, ask('Sum the sheet.')))).toBe('provider_unavailable');
    expect(provider.seen).toHaveLength(1);
    await expect(fixture.control.openLease(leaseRequest('b'))).rejects.toMatchObject({ code: 'ANL-5010' });
    await register();
    expect(typeOf(await client.post(1, ask('Sum the sheet.')))).toBe('answered');
    expect((await usageOf('a')).unserved).toBeNull();
  });

  it('a Retry-After of a day, until then', async () => {
    await begin();
    provider.script(status(429, error('daily limit'), { 'retry-after': '86400' }));
    const before = Date.now();
    const client = await open('a');
    expect(typeOf(await client.post(1, ask('a')))).toBe('provider_unavailable');
    const [halt] = await halts();
    expect(halt).toMatchObject({ kind: 'rate_limited' });
    expect((halt as { until: number }).until).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(provider.seen).toHaveLength(1);
  });
});

describe('a 400 stays the agent’s, and halts nothing', () => {
  it.each([
    [
      'for a tool of its own',
      error("Invalid 'tools[0].function.name': string does not match", { param: 'tools[0].function.name' }),
      'invalid_request',
    ],
    ['for its messages', error("Invalid value for 'content'", { param: 'messages.[1].content' }), 'invalid_request'],
    [
      'for a context that overflows',
      error("This model's maximum context length is 8192 tokens; max_tokens is 1000", {
        param: 'max_tokens',
        code: 'context_length_exceeded',
      }),
      'context_overflow',
    ],
    ['without any field', error('could not parse'), 'invalid_request'],
  ])('%s', async (_, body, type) => {
    await begin();
    provider.script(status(400, body));
    expect(typeOf(await (await open('a')).post(1, ask('a')))).toBe(type);
    expect(await halts()).toEqual([]);
    expect((await usageOf('a')).unserved).toBeNull();
  });

  it('where the text may be an echo of what the agent wrote', async () => {
    await begin();
    provider.script(status(400, error("bad tool: Unsupported parameter: 'seed'")));
    const client = await open('a');
    expect(typeOf(await client.post(1, ask("Unsupported parameter: 'seed'")))).toBe('invalid_request');
    expect(await halts()).toEqual([]);
  });
});

describe('faults that may pass', () => {
  it('halt a role once nothing was served for a while, and it is tried again by itself', async () => {
    await begin({ haltAfterMs: 0, tryAgainAfterMs: 1_500 });
    provider.script(...thrice(status(503)));
    const client = await open('a');
    expect(typeOf(await client.post(1, ask('a')))).toBe('provider_unavailable');
    expect(await halts()).toMatchObject([{ kind: 'failing', until: expect.any(Number) as number }]);
    expect(typeOf(await client.post(1, ask('a')))).toBe('provider_unavailable');
    expect(provider.seen).toHaveLength(3);
    await expect.poll(halts, { timeout: 10_000 }).toEqual([]);
    expect(typeOf(await client.post(1, ask('a')))).toBe('answered');
  });

  it('wait for a person where each try is charged in full', async () => {
    await begin({ haltAfterMs: 0 });
    provider.script(...thrice({ kind: 'stall', billed: true }));
    expect(typeOf(await (await open('a')).post(1, ask('a')))).toBe('provider_unavailable');
    expect(await halts()).toMatchObject([{ kind: 'failing', until: null }]);
    const { roles } = await fixture.control.usage({ experimentId: id });
    expect(roles[0]?.unknownRows).toBe(3);
    expect(roles[0]?.charged).toBeGreaterThanOrEqual(provider.bill.tokens);
  });

  it('name a provider that cannot be reached', async () => {
    await begin({ haltAfterMs: 0 });
    await provider.close();
    expect(typeOf(await (await open('a')).post(1, ask('a')))).toBe('provider_unavailable');
    expect(await halts()).toMatchObject([{ kind: 'unreachable' }]);
    provider = await startProviderServer();
  });

  it('halt nothing while others of the role are served', async () => {
    await begin({ haltAfterMs: 1500 });
    provider.script(status(500));
    const first = await open('a');
    expect(typeOf(await first.post(1, ask('a')))).toBe('answered');
    await new Promise((resolve) => setTimeout(resolve, 1600));
    provider.script(...thrice(status(500)));
    expect(typeOf(await first.post(2, ask('b')))).toBe('provider_unavailable');
    expect(await halts()).toEqual([]);
    expect((await usageOf('a')).unserved).toBe('http_500');
  });

  it('are no evidence where the run left before its call was given up', async () => {
    await begin({ backOffMs: 2_000, backOffCapMs: 2_000 });
    provider.script(status(500));
    const client = await open('a');
    const asked = client.post(1, ask('a'));
    await provider.arrived(1);
    await expect
      .poll(async () => (await fixture.control.listCalls({ experimentId: id })).calls.map(({ state }) => state))
      .toEqual(['rejected']);
    await fixture.control.closeLease({ attemptKey: leaseRequest('a').attemptKey, epoch: 1, lease: 1 });
    await asked.catch(() => {});
    expect(await usageOf('a')).toMatchObject({ unserved: null, lastFault: { fault: 'infrastructure' } });
  });
});
