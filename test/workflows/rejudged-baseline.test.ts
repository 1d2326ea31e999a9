import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { WorkflowHandle } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { holdOf } from '../../src/report/status/holds.ts';
import { progressOf } from '../../src/report/status/progress.ts';
import type { DecisionRecord } from '../../src/schema/record.ts';
import { setPaused } from '../../workflows/messages.ts';
import { workflowIds } from '../../workflows/workflow-ids.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { replaced, validExperiment } from '../support/experiment-files.ts';
import { verdict } from '../support/memory-sandbox.ts';
import {
  createTestWorker,
  freshTaskQueue,
  startTemporalServer,
  type TemporalServer,
} from '../support/temporal-server.ts';

let server: TemporalServer;
let fixture: ActivityFixture;
let worker: { readonly worker: Worker; readonly ended: Promise<void> };
const taskQueue = freshTaskQueue();

beforeAll(async () => {
  server = await startTemporalServer();
  const arm = '  - name: ace\n    updater: ace\n    settings:\n      curatorOps: [ADD]\n';
  fixture = await ActivityFixture.create(replaced(validExperiment, 'experiment.yaml', arm, ''));
  const made = await createTestWorker(server.environment, taskQueue, fixture.all());
  worker = { worker: made, ended: made.run() };
});

afterAll(async () => {
  worker.worker.shutdown();
  await worker.ended;
  await fixture.remove();
  await server.stop();
});

const start = (workflow: string, workflowId: string, input: object): Promise<WorkflowHandle> =>
  server.environment.client.workflow.start(workflow, { workflowId, taskQueue, args: [input] });
const holds = async (): Promise<DecisionRecord[]> =>
  (await fixture.records()).filter(
    (record) => record.kind === 'decision' && record.event === 'experiment-held',
  ) as DecisionRecord[];
const solved = (): string[] => fixture.sandbox.starts.map(({ directory }) => directory);

test('a baseline whose judge failed is held with what awaits a judgement; a resume pays nothing twice, a rejudge frees it', async () => {
  const { id } = fixture.lock;
  fixture.sandbox.judgement = () => ({ end: { kind: 'exited', code: 1 }, rewardText: null, reportText: null });
  const handle = await start('experiment', workflowIds.experiment(id), { experimentId: id, lanes: 2 });
  const heldTimes = async (count: number): Promise<void> =>
    vi.waitFor(async () => expect(await holds()).toHaveLength(count), { timeout: 20_000, interval: 50 });
  await heldTimes(1);
  const [first] = progressOf(await fixture.records()).held;
  if (first === undefined) throw new Error('nothing is held');
  expect(first.figures).toMatchObject({ pass: 'baseline', missing: 1, judge: 1, scored: 0, planned: 1 });
  const error = holdOf(fixture.lock, first, await fixture.records())?.error;
  expect(error?.why).toContain('1 ran and awaits a judgement');
  expect(error?.next).toBe(`anneal rejudge ${id}     then: anneal resume ${id}`);
  const judged = fixture.sandbox.judged.length;

  await handle.signal(setPaused, { paused: false });
  await heldTimes(2);
  expect(solved()).toHaveLength(1);
  expect(fixture.sandbox.judged).toHaveLength(judged);

  fixture.sandbox.judgement = () => verdict(0.7);
  const attempts = (await fixture.attempts()).map(({ key, epoch }) => ({ key, epoch, judgement: 2 }));
  const again = await start('rejudge', workflowIds.rejudge(id), { experimentId: id, lanes: 2, attempts, pageSize: 9 });
  await again.result();
  expect(await holds()).toHaveLength(2);
  await handle.signal(setPaused, { paused: false });
  await handle.result();
  expect(solved()).toHaveLength(3);
  const records = await fixture.records();
  expect(progressOf(records)).toMatchObject({ state: 'complete', held: [] });
  expect(records.filter(({ kind }) => kind === 'query')).toMatchObject([{ state: 'disclosed', exact: 70 }]);
}, 60_000);
