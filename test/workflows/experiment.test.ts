import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ExperimentPlan, FrozenChampion } from '../../src/contract/activities.ts';
import { experimentStatus, setLanes, setPaused } from '../../workflows/messages.ts';
import type { FakeActivities } from '../support/fake-activities.ts';
import { aceArm, planOf, staticArm } from '../support/plan-builder.ts';
import { type TemporalServer, startTemporalServer } from '../support/temporal-server.ts';
import { WorkflowFixture } from '../support/workflow-fixture.ts';

let server: TemporalServer;
let fixture: WorkflowFixture;
let fake: FakeActivities;
let experiments = 0;

beforeAll(async () => {
  server = await startTemporalServer();
});

afterAll(() => server.stop());

afterEach(() => fixture.stopWorker());

/** An experiment with a worker of its own; ids of children follow from the experiment's. */
async function prepare(changes: Partial<ExperimentPlan> = {}): Promise<void> {
  experiments += 1;
  const experimentId = `exp_${String(experiments).padStart(8, '0')}` as ExperimentPlan['experimentId'];
  fixture = new WorkflowFixture(server.environment, planOf({ experimentId, arms: [staticArm, aceArm], ...changes }));
  ({ fake } = fixture);
  await fixture.startWorker();
}

function start(lanes = 2): Promise<WorkflowHandle> {
  const { experimentId } = fake.plan;
  return fixture.start('experiment', { experimentId, lanes }, `exp/${experimentId}`);
}

const eventually = { timeout: 30_000, interval: 20 };
/** Long enough for an attempt that nothing holds back to begin. */
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));
const champions = (): FrozenChampion[] => fake.of('freezeChampions')[0]?.['champions'] as FrozenChampion[];
const nameOf = ({ arm, label, revision: { candidate } }: FrozenChampion): string => `${arm} ${label} ${candidate}`;

describe('an experiment', () => {
  test('goes through its phases in order, arms in config order, and freezes once after all of them', async () => {
    await prepare();
    await (await start()).result();
    const events = fake
      .of('recordDecision')
      .map(({ event, reason, arm }) => `${String(arm)} ${String(event)} ${String(reason)}`);
    expect(events.filter((event) => !event.includes('note'))).toEqual([
      'null phase-started baseline',
      'null phase-started search',
      'static search-ended static: H0 stays as it is',
      'ace search-ended all batches are done',
      'null phase-started freeze',
      'null phase-started final',
      'null phase-started report',
    ]);
    expect(fake.names()[0]).toBe('prepareExperiment');
    expect(fake.of('freezeChampions')).toHaveLength(1);
    expect(fake.of('writeReport')).toEqual([{ experimentId: fake.plan.experimentId, ended: 'complete' }]);
  });

  test('names the champions of each arm from exact numbers', async () => {
    await prepare();
    fake.points = (candidate) => [70, 60, 69.99, 65][candidate] ?? 0;
    await (await start()).result();
    expect(champions().map(nameOf)).toEqual(['static gated 0', 'ace gated 0', 'ace bestEvolved 2']);
  });

  test('freezes no evolved champion where no candidate was evaluated', async () => {
    await prepare();
    fake.points = (candidate) => (candidate === 0 ? 50 : null);
    await (await start()).result();
    expect(champions().map(nameOf)).toEqual(['static gated 0', 'ace gated 0']);
  });

  test('runs H0 and every champion side by side on every final task, each digest once, and nothing else', async () => {
    await prepare();
    await (await start(1)).result();
    const final = fake.attempts.filter(({ phase }) => phase === 'final');
    expect(final.map(({ revision }) => revision.candidate)).toEqual([0, 3, 0, 3, 0, 3]);
    const tasks = final.map(({ taskId }) => taskId);
    expect([tasks[0], tasks[2], tasks[4]]).toEqual([tasks[1], tasks[3], tasks[5]]);
    expect(new Set(tasks).size).toBe(3);
    expect(tasks.every((task) => task.includes('final'))).toBe(true);
    const other = fake.attempts.filter(({ phase }) => phase !== 'final').map(({ taskId }) => taskId);
    expect(other.some((task) => task.includes('final'))).toBe(false);
  });

  test('reports without a final where there are no final tasks', async () => {
    await prepare({ tasks: planOf().tasks.filter(({ split }) => !split.startsWith('final')) });
    await (await start()).result();
    expect(fake.attempts.some(({ phase }) => phase === 'final')).toBe(false);
    expect(fake.of('writeReport')).toHaveLength(1);
  });

  test('is paused and resumed down to its attempts, with other lanes, and says so', async () => {
    await prepare({ arms: [staticArm] });
    const held = fake.hold();
    const handle = await start(1);
    await vi.waitFor(() => expect(fake.inFlight).toBe(1), eventually);
    await handle.signal(setPaused, { paused: true });
    await fixture.untilTold(handle);
    held.release(1);
    await vi.waitFor(() => expect(fake.inFlight).toBe(0), eventually);
    await fixture.untilTold(handle);
    await moment();
    expect(fake.attempts).toHaveLength(1);
    expect(await handle.query(experimentStatus)).toEqual({ phase: 'baseline', arm: null, paused: true, lanes: 1 });
    await handle.signal(setLanes, { lanes: 3 });
    await handle.signal(setPaused, { paused: false });
    held.release(1);
    await vi.waitFor(async () => expect((await handle.query(experimentStatus)).phase).toBe('search'), eventually);
    held.release(2);
    await vi.waitFor(() => expect(fake.inFlight).toBe(3), eventually);
    expect(await handle.query(experimentStatus)).toMatchObject({ phase: 'final', paused: false, lanes: 3 });
    held.release(3);
    await handle.result();
  });

  test.each([0, 5, 20])('keeps a pause that comes %d ms after its start', async (delay) => {
    await prepare({ arms: [staticArm] });
    fake.attempt = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { outcome: 'scored', solveAgain: 'no' };
    };
    const handle = await start(1);
    await vi.waitFor(() => expect(fake.names()).toContain('prepareExperiment'), eventually);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await handle.signal(setPaused, { paused: true });
    await fixture.untilTold(handle);
    await vi.waitFor(() => expect(fake.inFlight).toBe(0), eventually);
    await fixture.untilTold(handle);
    const before = fake.attempts.length;
    await moment();
    expect(fake.attempts).toHaveLength(before);
    await handle.signal(setPaused, { paused: false });
    await handle.result();
  });

  test('cancelled while a short effect is under way waits for it before the report is written', async () => {
    await prepare({ arms: [staticArm] });
    const freezing = new Promise<void>((resolve) => {
      fake.delay = async ({ name }) => {
        if (name !== 'freezeChampions') return;
        resolve();
        await new Promise((over) => setTimeout(over, 1_500));
      };
    });
    const handle = await start();
    await freezing;
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(fake.ended.slice(-3)).toEqual(['freezeChampions', 'recordDecision', 'writeReport']);
  });

  test('cancelled in a search stops what is in flight, then writes the report of what there is', async () => {
    await prepare({ arms: [aceArm] });
    fake.attempt = async ({ phase }) => (phase === 'search' ? fake.hang() : { outcome: 'scored', solveAgain: 'no' });
    const handle = await start();
    await vi.waitFor(() => expect(fake.inFlight).toBe(1), eventually);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(await handle.query(experimentStatus)).toMatchObject({ phase: 'cancelled', arm: null });
    expect([fake.inFlight, fake.cancelled]).toEqual([0, 1]);
    expect(fake.of('recordDecision').at(-1)).toMatchObject({ event: 'experiment-cancelled' });
    expect(fake.of('writeReport')).toMatchObject([{ ended: 'cancelled' }]);
    expect(fake.of('freezeChampions')).toEqual([]);
  });

  test('cancelled while paused ends as well', async () => {
    await prepare({ arms: [staticArm] });
    const held = fake.hold();
    const handle = await start(1);
    await vi.waitFor(() => expect(fake.inFlight).toBe(1), eventually);
    await handle.signal(setPaused, { paused: true });
    await fixture.untilTold(handle);
    held.release(1);
    await vi.waitFor(() => expect(fake.inFlight).toBe(0), eventually);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(fake.of('writeReport')).toMatchObject([{ ended: 'cancelled' }]);
  });

  test('cancelled before anything was prepared is closed all the same', async () => {
    await prepare();
    await fixture.stopWorker();
    const handle = await start();
    await handle.cancel();
    await fixture.startWorker();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(fake.names()).toEqual(['prepareExperiment', 'recordDecision', 'writeReport']);
    expect(fake.attempts).toEqual([]);
  });

  test('goes on with another worker that knows nothing but the history', async () => {
    await prepare({ arms: [aceArm] });
    let handled = 0;
    fake.attempt = async () => {
      handled += 1;
      return { outcome: 'scored', solveAgain: 'no' };
    };
    const handle = await start();
    for (const count of [2, 4, 6]) {
      await vi.waitFor(() => expect(handled).toBeGreaterThanOrEqual(count), eventually);
      await fixture.stopWorker();
      await fixture.startWorker();
    }
    await handle.result();
    expect(fake.of('commitCandidate').map(({ candidate }) => candidate)).toEqual([1, 2, 3]);
    expect(fake.of('writeReport')).toHaveLength(1);
    const cells = fake.attempts.map(({ phase, taskId, revision }) => `${phase} ${taskId} ${revision.digest}`);
    expect(cells).toHaveLength(new Set(cells).size + 2);
  });
});
