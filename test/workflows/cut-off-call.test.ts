import type { WorkflowHandle } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { callThroughLease } from '../../src/adapters/lease-client.ts';
import { progressOf } from '../../src/report/status/progress.ts';
import { deriveFunctions } from '../../src/updaters/derive-functions.ts';
import { promptTemplates } from '../../src/updaters/prompts/prompt-templates.ts';
import { workflowIds } from '../../workflows/workflow-ids.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { replaced, validExperiment } from '../support/experiment-files.ts';
import { type ProviderServer, startProviderServer } from '../support/provider-server.ts';
import {
  createTestWorker,
  freshTaskQueue,
  startTemporalServer,
  type TemporalServer,
} from '../support/temporal-server.ts';

let server: TemporalServer;
let provider: ProviderServer;
let fixture: ActivityFixture;
let worker: { readonly worker: Worker; readonly ended: Promise<void> };

beforeAll(async () => {
  server = await startTemporalServer();
});

afterAll(() => server.stop());

beforeEach(async () => {
  provider = await startProviderServer();
});

afterEach(remove);

async function remove(): Promise<void> {
  worker.worker.shutdown();
  await worker.ended;
  await fixture.remove();
  await provider.close();
}

/** An experiment whose updater never gets an answer; `seconds` of search. */
async function start(seconds: number): Promise<WorkflowHandle> {
  provider.script({ kind: 'stall', billed: true }, { kind: 'stall', billed: true });
  const simulated = 'provider: simulated\n    world: no-transfer';
  const served = `provider: openai\n    baseUrl: ${provider.baseUrl}\n    model: office-1`;
  const text = (validExperiment['experiment.yaml'] ?? '').replaceAll(simulated, served);
  const files = { ...validExperiment, 'experiment.yaml': text };
  const hours = `searchHours: ${seconds / 3_600}`;
  fixture = await ActivityFixture.create(replaced(files, 'budgets.yaml', 'searchHours: 1', hours));
  fixture.restart({ callLease: callThroughLease, promptTemplates, deriveFunctions });
  const taskQueue = freshTaskQueue();
  const made = await createTestWorker(server.environment, taskQueue, fixture.all());
  worker = { worker: made, ended: made.run() };
  const { id } = fixture.lock;
  return server.environment.client.workflow.start('experiment', {
    workflowId: workflowIds.experiment(id),
    taskQueue,
    args: [{ experimentId: id, lanes: 2 }],
  });
}

/** What the closed report says of the updater, and that nothing can be charged any more. */
async function reported(): Promise<string> {
  const experimentId = fixture.lock.id;
  expect((await fixture.gateway.control.openLeases({ experimentId })).leases).toEqual([]);
  const records = await fixture.records();
  const { calls } = await fixture.gateway.control.listCalls({ experimentId });
  const usage = records.findLast((record) => record.kind === 'usage' && record.role === 'updater');
  const bound = calls.reduce((sum, { reserved }) => sum + reserved, 0);
  expect(usage).toMatchObject({ calls: calls.length, unknownRows: calls.length, charged: bound });
  expect(provider.bill.calls).toBeGreaterThan(0);
  expect(calls.length).toBeGreaterThanOrEqual(provider.bill.calls);
  expect(bound).toBeGreaterThanOrEqual(provider.bill.tokens);
  return progressOf(records).state;
}

test('a call that a cancel cuts off is in the report at its bound', async () => {
  const handle = await start(600);
  await provider.arrived(1);
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  expect(await reported()).toBe('cancelled');
}, 60_000);

test('a call that the end of the search time cuts off is in the report at its bound', async () => {
  // Where the time was over before a call was made, with twice as much.
  for (let seconds = 4; seconds < 50; seconds *= 2) {
    await (await start(seconds)).result();
    if (provider.bill.calls > 0) break;
    await remove();
    provider = await startProviderServer();
  }
  expect(await reported()).toBe('complete');
}, 120_000);
