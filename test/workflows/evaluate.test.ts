import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AttemptEnd, AttemptRequest } from '../../src/contract/activities.ts';
import { ArmName, ExperimentId } from '../../src/schema/ids.ts';
import type { EvaluateInput } from '../../workflows/evaluate.ts';
import { setLanes, setPaused } from '../../workflows/messages.ts';
import type { FakeActivities } from '../support/fake-activities.ts';
import { plannedTasks, planOf, revision } from '../support/plan-builder.ts';
import { type TemporalServer, startTemporalServer } from '../support/temporal-server.ts';
import { WorkflowFixture } from '../support/workflow-fixture.ts';

let server: TemporalServer;
let environment: TestWorkflowEnvironment;
let fixture: WorkflowFixture;
let fake: FakeActivities;

beforeAll(async () => {
  server = await startTemporalServer();
  ({ environment } = server);
});

afterAll(() => server.stop());

beforeEach(async () => {
  fixture = new WorkflowFixture(environment, planOf());
  ({ fake } = fixture);
  await fixture.startWorker();
});

afterEach(() => fixture.stopWorker());

const infrastructure = (solveAgain: AttemptEnd['solveAgain']): AttemptEnd => ({
  outcome: 'unscored_infra',
  solveAgain,
});
const scored: AttemptEnd = { outcome: 'scored', solveAgain: 'no' };
const eventually = { timeout: 30_000, interval: 20 };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const cell = ({ taskId, revision: { candidate }, replicate }: AttemptRequest): string =>
  `${taskId.split('-').at(-1)}/${candidate}/${replicate}`;

function start(changes: Partial<EvaluateInput> & { lanes?: number; taskCount?: number } = {}): Promise<WorkflowHandle> {
  const { lanes = 2, taskCount = 4, ...rest } = changes;
  const input: EvaluateInput = {
    experimentId: ExperimentId.parse('exp_0000000a'),
    arm: ArmName.parse('ace'),
    phase: 'search',
    revisions: [revision(0)],
    tasks: plannedTasks('feedback', taskCount).map(({ id, wallMs }) => ({ id, wallMs })),
    replicate: 0,
    infrastructureRetries: 2,
    steering: { paused: false, lanes },
    cursor: 0,
    pageSize: 250,
    ...rest,
  };
  return fixture.start('evaluate', input);
}

describe('a pass', () => {
  test('tries every revision on every task once, revisions of one task side by side, all in one replicate', async () => {
    const handle = await start({ revisions: [revision(0), revision(1)], taskCount: 2, replicate: 1, lanes: 1 });
    await handle.result();
    expect(fake.attempts.map(cell)).toEqual(['1/0/1', '1/1/1', '2/0/1', '2/1/1']);
  });

  test.each([1, 3])('never has more attempts in flight than its %d lanes, and uses them all', async (lanes) => {
    fake.attempt = async () => {
      await pause(30);
      return scored;
    };
    await (await start({ taskCount: 9, lanes })).result();
    expect([fake.attempts.length, fake.mostInFlight]).toEqual([9, lanes]);
  });

  test('takes another number of lanes while it runs', async () => {
    const held = fake.hold();
    const handle = await start({ taskCount: 6, lanes: 1 });
    await vi.waitFor(() => expect(fake.inFlight).toBe(1), eventually);
    await handle.signal(setLanes, { lanes: 4 });
    await vi.waitFor(() => expect(fake.inFlight).toBe(4), eventually);
    await handle.signal(setLanes, { lanes: 1 });
    held.release(3);
    await pause(300);
    expect(fake.inFlight).toBe(1);
    held.release(3);
    await handle.result();
    expect(fake.attempts).toHaveLength(6);
  });

  test('starts nothing new while paused, lets finish what runs, and goes on when resumed', async () => {
    const held = fake.hold();
    const handle = await start({ taskCount: 5, lanes: 2 });
    await vi.waitFor(() => expect(fake.inFlight).toBe(2), eventually);
    await handle.signal(setPaused, { paused: true });
    held.release(2);
    await pause(400);
    expect([fake.inFlight, fake.attempts.length]).toEqual([0, 2]);
    await handle.signal(setPaused, { paused: false });
    held.release(3);
    await handle.result();
    expect(fake.attempts).toHaveLength(5);
  });

  test('does not try again while paused', async () => {
    let failed = 0;
    fake.attempt = async () => {
      failed += 1;
      if (failed > 1) return scored;
      await handle.signal(setPaused, { paused: true });
      await pause(200);
      return infrastructure('counted');
    };
    const handle = await start({ taskCount: 1 });
    await vi.waitFor(() => expect(failed).toBe(1), eventually);
    await pause(700);
    expect(fake.attempts).toHaveLength(1);
    await handle.signal(setPaused, { paused: false });
    await handle.result();
    expect(fake.attempts).toHaveLength(2);
  });

  test.each([
    [0, 1],
    [2, 3],
  ])(
    'with %d retries tries an attempt that infrastructure fails %d times, and goes on with the others',
    async (retries, tries) => {
      fake.attempt = async ({ taskId }) => (taskId.endsWith('-2') ? infrastructure('counted') : scored);
      await (await start({ taskCount: 3, infrastructureRetries: retries })).result();
      const of = (task: string): number => fake.attempts.filter(({ taskId }) => taskId.endsWith(task)).length;
      expect([of('-1'), of('-2'), of('-3')]).toEqual([1, tries, 1]);
    },
  );

  test('does not count a sandbox that a person stopped', async () => {
    fake.attempt = async (_, count) =>
      count <= 4 ? infrastructure('free') : count === 5 ? infrastructure('counted') : scored;
    await (await start({ taskCount: 1, infrastructureRetries: 1 })).result();
    expect(fake.attempts).toHaveLength(6);
  });

  test('goes on as new runs with its lanes, and loses and repeats nothing', async () => {
    const held = fake.hold();
    const handle = await start({ taskCount: 12, pageSize: 5, lanes: 4 });
    await vi.waitFor(() => expect(fake.inFlight).toBe(4), eventually);
    await handle.signal(setLanes, { lanes: 2 });
    held.release(4);
    await vi.waitFor(() => expect([fake.attempts.length, fake.inFlight]).toEqual([5, 1]), eventually);
    fake.mostInFlight = 0;
    held.release(1);
    await vi.waitFor(() => expect([fake.attempts.length, fake.inFlight]).toEqual([7, 2]), eventually);
    held.release(7);
    await handle.result();
    expect(new Set(fake.attempts.map(cell)).size).toBe(12);
    expect(fake.attempts).toHaveLength(12);
    expect(await fixture.runsOf(handle.workflowId)).toBe(3);
    expect(fake.mostInFlight).toBe(2);
  });

  test('ends with the error of an attempt that no retry can mend, when every other one has stopped', async () => {
    fake.attempt = async (_, count) => {
      if (count < 3) return fake.hang();
      throw ApplicationFailure.nonRetryable('not frozen', 'ANL-6007');
    };
    const error = await (await start({ taskCount: 5, lanes: 3 })).result().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect(JSON.stringify((error as WorkflowFailedError).cause?.cause)).toContain('ANL-6007');
    expect([fake.inFlight, fake.cancelled, fake.attempts.length]).toEqual([0, 2, 3]);
  });

  test('ends cancelled when every attempt in flight has stopped', async () => {
    fake.attempt = fake.hang;
    const handle = await start({ taskCount: 5, lanes: 3 });
    await vi.waitFor(() => expect(fake.inFlight).toBe(3), eventually);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect([fake.inFlight, fake.cancelled, fake.attempts.length]).toEqual([0, 3, 3]);
  });

  test('ends cancelled at once while it is paused', async () => {
    const handle = await start({ steering: { paused: true, lanes: 2 } });
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(fake.attempts).toEqual([]);
  });
});
