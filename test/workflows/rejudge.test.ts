import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JudgeAgain } from '../../src/contract/activities.ts';
import { AttemptKey, ExperimentId } from '../../src/schema/ids.ts';
import { digestOf } from '../support/lock-builder.ts';
import { planOf } from '../support/plan-builder.ts';
import { type TemporalServer, startTemporalServer } from '../support/temporal-server.ts';
import { WorkflowFixture } from '../support/workflow-fixture.ts';

let server: TemporalServer;
let environment: TestWorkflowEnvironment;
let fixture: WorkflowFixture;

beforeAll(async () => {
  server = await startTemporalServer();
  ({ environment } = server);
});

afterAll(() => server.stop());

beforeEach(async () => {
  fixture = new WorkflowFixture(environment, planOf());
  await fixture.startWorker();
});

afterEach(() => fixture.stopWorker());

const experimentId = ExperimentId.parse('exp_0123abcd');

test('every attempt is judged once over all pages, then the report is written anew, once', async () => {
  const attempts = Array.from({ length: 5 }, (_, index): JudgeAgain => {
    return { key: AttemptKey.parse(digestOf(`attempt ${index}`)), epoch: 1, judgement: 2 };
  });
  const handle = await fixture.start('rejudge', { experimentId, lanes: 2, attempts, pageSize: 2 });
  await handle.result();
  expect(fixture.fake.of('rejudgeAttempt').map(({ key }) => key)).toEqual(
    expect.arrayContaining(attempts.map(({ key }) => key)),
  );
  expect(fixture.fake.of('rejudgeAttempt')).toHaveLength(5);
  expect(fixture.fake.names().at(-1)).toBe('refreshReport');
  expect(fixture.fake.of('refreshReport')).toHaveLength(1);
  expect(await fixture.runsOf(handle.workflowId)).toBe(3);
});

test('closing is one effect', async () => {
  const handle = await fixture.start('close', { experimentId });
  await handle.result();
  expect(fixture.fake.effects).toEqual([{ name: 'closeExperiment', input: { experimentId } }]);
});
