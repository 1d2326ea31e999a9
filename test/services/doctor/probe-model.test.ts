import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callThroughLease } from '../../../src/adapters/lease-client.ts';
import { ModelSettings } from '../../../src/schema/experiment-config.ts';
import { ExperimentId } from '../../../src/schema/ids.ts';
import type { ModelPrice } from '../../../src/schema/prices.ts';
import type { LiveModel } from '../../../src/services/doctor/live-models.ts';
import { probeModel } from '../../../src/services/doctor/probe-model.ts';
import { type GatewayFixture, startGateway } from '../../support/gateway-fixture.ts';
import { type ProviderServer, startProviderServer } from '../../support/provider-server.ts';

const dollar = 1_000_000;
const rates = { input: dollar, output: dollar, cacheRead: dollar, cacheWrite: dollar };
const price: ModelPrice = { kind: 'rates', rates, longPrompt: null, asOf: '2026-11-01', source: 'a price list' };
const key = 'sk-of-the-doctor';
const call = { id: 'call-1', function: { name: 'report_word', arguments: '{"word":"ready"}' } };
const answers = [{ kind: 'answer' }, { kind: 'answer', toolCalls: [call] }, { kind: 'answer' }] as const;

let server: ProviderServer;
let gateway: GatewayFixture;
let now = 0;

beforeEach(async () => {
  server = await startProviderServer({ key });
  gateway = await startGateway({ environment: { DOCTOR_KEY: key, WRONG_KEY: 'sk-of-somebody-else' } });
});

afterEach(async () => {
  await gateway.close();
  await server.close();
});

function model(changes: Record<string, unknown> = {}, priced: ModelPrice = price): LiveModel {
  const defaults = { provider: 'openai', baseUrl: server.baseUrl, model: 'office-1', keyVariable: 'DOCTOR_KEY' };
  return { roles: ['solver', 'updater'], settings: ModelSettings.parse({ ...defaults, ...changes }), price: priced };
}

async function probe(of: LiveModel): Promise<Record<string, string>> {
  const clock = (): number => (now += 1);
  const checks = await probeModel({ gateway: gateway.control, call: callThroughLease, clock }, of);
  return Object.fromEntries(
    checks.map(({ name, state, detail }) => [name.replace('solver+updater ', ''), `${state} ${detail}`]),
  );
}

describe('three small calls to a model', () => {
  test.each([
    ['chat completions', { wire: 'chat' }],
    ['Responses', { wire: 'responses' }],
    ['messages', { provider: 'anthropic', wire: 'messages' }],
  ])('prove key, tools, usage, streaming and served model by %s, and say what they cost', async (_, wire) => {
    server.script(...answers);
    const told = await probe(model(wire));
    expect(told).toMatchObject({
      key: expect.stringMatching(/^ok DOCTOR_KEY is accepted by 127\.0\.0\.1:\d+, office-1 answers$/),
      tools: 'ok calls the tool it is asked to call, with arguments that parse',
      usage: expect.stringMatching(/^ok told in 3 of 3 replies: \d+ tokens in, \d+ out$/),
      streaming: 'ok a streamed reply came whole',
      served: 'ok office-1 (servedModel: record)',
    });
    expect(server.seen.map(({ body }) => body['stream'] ?? false)).toEqual([false, false, true]);
    expect(told['cost']).toContain(
      `for 3 requests, ${server.bill.tokens} tokens; booked under the doctor's account exp_`,
    );
  });

  test('are booked in the ledger under an account that is no experiment', async () => {
    server.script(...answers);
    const { cost } = await probe(model());
    const [id = ''] = /exp_[0-9a-f]{8}/.exec(cost ?? '') ?? [];
    const usage = await gateway.control.usage({ experimentId: ExperimentId.parse(id) });
    expect(usage.roles).toMatchObject([
      { arm: 'doctor', rows: 3, charged: server.bill.tokens, microUsd: server.bill.tokens },
    ]);
  });

  test('stop at the first where the key is refused, and nothing is charged', async () => {
    const told = await probe(model({ keyVariable: 'WRONG_KEY' }));
    expect(told['key']).toMatch(/^fail office-1 at 127\.0\.0\.1:\d+ did not answer: .*no key/);
    expect(told['cost']).toMatch(/^ok \$0 for 1 request, 0 tokens/);
    expect(Object.keys(told)).toEqual(['key', 'cost']);
    expect(server.bill.calls).toBe(0);
  });

  test.each([
    [
      'the key is refused, the value of the variable named',
      { keyVariable: 'WRONG_KEY' },
      /^set the value of WRONG_KEY to a key that 127\.0\.0\.1:\d+ accepts: export WRONG_KEY=…, then: anneal down /,
    ],
    [
      'nothing listens there, the base URL',
      { baseUrl: 'http://127.0.0.1:9/v1' },
      /^correct baseUrl: http:\/\/127\.0\.0\.1:9\/v1 in the experiment, or start what listens there/,
    ],
  ])('name what to change where %s', async (_, changes, fix) => {
    const clock = (): number => (now += 1);
    const [first] = await probeModel({ gateway: gateway.control, call: callThroughLease, clock }, model(changes));
    expect(first?.fix).toMatch(fix);
  });

  test('are not made where the key variable is not set in the gateway', async () => {
    expect(await probe(model({ keyVariable: 'NO_SUCH_KEY' }))).toEqual({
      key: expect.stringMatching(/^fail .*NO_SUCH_KEY/),
    });
  });

  test('tell a model that calls no tools', async () => {
    expect((await probe(model()))['tools']).toBe('fail it answered without the tool it was asked to call');
    const updater = await probe({ ...model(), roles: ['updater'] });
    expect(updater['updater tools']).toBe('warn it answered without the tool it was asked to call');
  });

  test('tell replies without usage, which are charged at their upper bound', async () => {
    server.script({ kind: 'no-usage', how: 'null' }, ...answers.slice(1));
    expect((await probe(model()))['usage']).toMatch(/^warn told in 2 of 3 replies/);
  });

  test('tell a served model that the policy does not allow', async () => {
    server.script(answers[0], { kind: 'served', model: 'office-2' });
    expect((await probe(model({ servedModel: 'exact' })))['served']).toBe(
      'fail office-1, office-2 (servedModel: exact)',
    );
  });

  test('say that a price is not known, never that they cost nothing', async () => {
    server.script(...answers);
    const told = await probe(model({}, { kind: 'unknown', why: 'nobody lists it' }));
    expect(told['cost']).toMatch(/^warn 3 requests, \d+ tokens, price unknown: nobody lists it/);
  });
});

test('a simulated model needs no call', async () => {
  const settings = ModelSettings.parse({ provider: 'simulated', world: 'null' });
  const told = await probe({ roles: ['solver', 'updater'], settings, price: { kind: 'free', why: 'simulated' } });
  expect(told).toEqual({ model: 'ok simulated, world null: no key, no cost, no call to make' });
  expect(server.seen).toEqual([]);
});
