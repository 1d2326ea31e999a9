import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallLease } from '../../activities/dependencies.ts';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import { callThroughLease } from '../../src/adapters/lease-client.ts';
import type { FrontErrorType } from '../../src/schema/call-row.ts';
import { ArmName } from '../../src/schema/ids.ts';
import type { CallModel, CallModelResult } from '../../src/updaters/step-machine.ts';
import type { CallModelEnd } from '../../src/contract/activities.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { validExperiment } from '../support/experiment-files.ts';
import { type ProviderServer, startProviderServer } from '../support/provider-server.ts';

let fixture: ActivityFixture;
let calls: { readonly number: number; readonly text: string }[];

beforeEach(async () => {
  fixture = await ActivityFixture.create();
  calls = [];
});

afterEach(() => fixture.remove());

const reflection = JSON.stringify({ reasoning: 'r', key_insight: 'an insight', bullet_tags: [] });
const action: CallModel = {
  kind: 'call-model',
  role: 'reflector',
  templateId: 'template',
  refs: {},
  parameters: { name: 'x1' },
  schemaId: 'ace.reflection/1',
};

function answering(text: string): CallLease {
  return async (_, number, { messages }) => {
    calls.push({ number, text: JSON.stringify(messages) });
    const content = [{ type: 'text' as const, text }];
    return {
      kind: 'answered',
      response: { id: 'r', servedModel: 'm', content, toolCalls: [], finishReason: 'stop', usage: null },
    };
  };
}

const refusing =
  (type: FrontErrorType): CallLease =>
  async () => {
    calls.push({ number: 1, text: '' });
    return { kind: 'refused', type, code: 'code', message: 'a message' };
  };

function ask(
  callLease: CallLease,
  changes: Partial<CallModel> = {},
  stepKey = '1/0',
  round = 1,
  environment?: MockActivityEnvironment,
): Promise<CallModelEnd> {
  fixture.restart({
    callLease,
    promptTemplates: {
      template: ({ parameters }) => ({
        user: `half \ud800 of ${JSON.stringify(parameters)}`,
        responseFormat: 'json',
      }),
    },
  });
  return fixture.run(
    'callModel',
    {
      experimentId: fixture.lock.id,
      arm: ArmName.parse('ace'),
      stepKey,
      action: { ...action, ...changes },
      round,
    },
    environment,
  );
}

const openLeases = async () =>
  (await fixture.gateway.control.openLeases({ experimentId: fixture.lock.id })).leases.length;

describe('a call of an updater', () => {
  test('is made once: the same step of the same action gives the stored reply', async () => {
    const first = await ask(answering(reflection));
    expect(first).toMatchObject({ kind: 'ok', value: { kind: 'model-reply', finishReason: 'stop', findings: [] } });
    expect(await ask(answering('something else'))).toEqual(first);
    expect(calls).toEqual([{ number: 1, text: expect.stringContaining('x1') as string }]);
  });

  test('sends what it puts on record, byte for byte, where evidence has half a character too', async () => {
    await ask(answering(reflection));
    const [prompt] = (await fixture.records()).flatMap((record) =>
      record.kind === 'disclosure' ? record.items.filter(({ content }) => content === 'prompt') : [],
    );
    const path = new BlobStore(fixture.folder.home.blobs).path(prompt?.blob ?? '');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('half \ufffd of');
    expect(calls[0]?.text).toBe(JSON.stringify([{ role: 'user', content: [{ type: 'text', text }] }]));
  });

  test('is another call for another step and for another action', async () => {
    await ask(answering(reflection), {}, '1/0');
    await ask(answering(reflection), {}, '1/1');
    await ask(answering(reflection), { parameters: { name: 'x2' } }, '1/0');
    expect(calls).toHaveLength(3);
  });

  test.each<[FrontErrorType, CallModelResult['kind']]>([
    ['budget_refused', 'budget-refused'],
    ['token_limit', 'budget-refused'],
    ['call_limit', 'budget-refused'],
    ['invalid_request', 'invalid'],
    ['context_overflow', 'invalid'],
    ['refusal', 'invalid'],
    ['call_conflict', 'invalid'],
    ['provider_unavailable', 'infra-failed'],
    ['fenced', 'infra-failed'],
  ])('that the gateway refuses with %s is %s', async (type, kind) => {
    expect((await ask(refusing(type))).kind).toBe(kind);
  });

  test('that infrastructure failed is asked again, any other refusal stands', async () => {
    await ask(refusing('provider_unavailable'));
    expect(await ask(answering(reflection))).toMatchObject({ kind: 'ok' });
    await ask(refusing('refusal'), {}, '2/0');
    expect(await ask(answering(reflection), {}, '2/0')).toMatchObject({ kind: 'invalid' });
  });

  test.each([
    ['no JSON', 'I would rather not.', 'reply-not-json'],
    ['JSON of another shape', '{"answer": 42}', 'reply-misshapen'],
  ])('with %s for a reply is invalid', async (_, text, code) => {
    expect(await ask(answering(text))).toMatchObject({ kind: 'invalid', findings: [{ code }] });
  });

  test.each([
    ['a template', { templateId: 'nobody' }, 'template-unknown'],
    ['a schema', { schemaId: 'nobody' }, 'schema-unknown'],
  ])('that names %s which does not exist is invalid', async (_, changes, code) => {
    expect(await ask(answering(reflection), changes)).toMatchObject({ kind: 'invalid', findings: [{ code }] });
  });

  test('that names a template which does not exist opens no lease', async () => {
    await ask(answering(reflection), { templateId: 'nobody' });
    expect(await openLeases()).toBe(0);
  });
});

describe('a call of an updater that is under way', () => {
  let provider: ProviderServer;

  beforeEach(async () => {
    provider = await startProviderServer();
    provider.script({ kind: 'answer', text: reflection, delayMs: 1_000 });
    await fixture.remove();
    const served = `provider: openai\n    baseUrl: ${provider.baseUrl}\n    model: office-1`;
    const text = validExperiment['experiment.yaml'] ?? '';
    const simulated = 'provider: simulated\n    world: no-transfer';
    fixture = await ActivityFixture.create({
      ...validExperiment,
      'experiment.yaml': text.replaceAll(simulated, served),
    });
  });

  afterEach(() => provider.close());

  const usage = async () => {
    const { roles } = await fixture.gateway.control.usage({ experimentId: fixture.lock.id });
    return roles.find(({ role }) => role === 'updater');
  };

  test('is closed and charged when its workflow is cancelled', async () => {
    const environment = new MockActivityEnvironment();
    const cancelled = ask(callThroughLease, {}, '1/0', 1, environment);
    await provider.arrived(1);
    environment.cancel('CANCELLED');
    await expect(cancelled).rejects.toThrow('CANCELLED');
    expect(await openLeases()).toBe(0);
    const { calls: rows } = await fixture.gateway.control.listCalls({ experimentId: fixture.lock.id, limit: 9 });
    const bound = rows[0]?.reserved ?? 0;
    expect(bound).toBeGreaterThan(0);
    expect(await usage()).toMatchObject({ rows: 1, unknownRows: 1, reserved: 0, charged: bound });
  });

  test('goes on when its worker shuts down: the next try is answered from the record', async () => {
    const environment = new MockActivityEnvironment();
    const left = ask(callThroughLease, {}, '1/0', 1, environment);
    await provider.arrived(1);
    environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
    await expect(left).rejects.toThrow('WORKER_SHUTDOWN');
    expect(await openLeases()).toBe(1);
    expect(await ask(callThroughLease)).toMatchObject({ kind: 'ok' });
    expect(provider.bill.calls).toBe(1);
    expect(await openLeases()).toBe(0);
  });

  test('is in the closed report when nobody was left to close it', async () => {
    const environment = new MockActivityEnvironment();
    const left = ask(callThroughLease, {}, '1/0', 1, environment);
    await provider.arrived(1);
    environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
    await expect(left).rejects.toThrow('WORKER_SHUTDOWN');
    await fixture.run('writeReport', { experimentId: fixture.lock.id, ended: 'cancelled' });
    const records = (await fixture.records()).filter((record) => record.kind === 'usage');
    expect(records).toMatchObject([{ role: 'updater', calls: 1, charged: (await usage())?.charged, unknownRows: 1 }]);
    expect((await usage())?.charged).toBeGreaterThan(0);
    expect(await openLeases()).toBe(0);
  });
});
