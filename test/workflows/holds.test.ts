import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AttemptEnd, ExperimentPlan, PassCoverage } from '../../src/contract/activities.ts';
import { experimentStatus, setPaused } from '../../workflows/messages.ts';
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

async function prepare(changes: Partial<ExperimentPlan> = {}): Promise<void> {
  experiments += 1;
  const experimentId = `exp_${String(experiments).padStart(8, 'a')}` as ExperimentPlan['experimentId'];
  fixture = new WorkflowFixture(server.environment, planOf({ experimentId, arms: [staticArm], ...changes }));
  ({ fake } = fixture);
  await fixture.startWorker();
}

function start(lanes = 2): Promise<WorkflowHandle> {
  const { experimentId } = fake.plan;
  return fixture.start('experiment', { experimentId, lanes }, `exp/${experimentId}`);
}

const eventually = { timeout: 30_000, interval: 20 };
const scored: AttemptEnd = { outcome: 'scored', solveAgain: 'no' };
const halted: AttemptEnd = { outcome: 'unscored_infra', solveAgain: 'halted', haltKind: 'key_refused' };
const full: PassCoverage = { planned: 2, scored: 2, infrastructure: 0, belowFloor: false };
const short = (count: number): PassCoverage => ({
  planned: 2,
  scored: count,
  infrastructure: 2 - count,
  belowFloor: true,
});
const events = (): string[] =>
  fake.of('recordDecision').map(({ event, reason }) => (event === 'phase-started' ? String(reason) : String(event)));

/** A gate that a test opens. */
function gate(): { readonly wait: () => Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { wait: () => opened, open };
}

describe('a halted model', () => {
  test('is waited for in every pass; attempts go on as they were, and none of their retries is used up', async () => {
    await prepare({ arms: [aceArm] });
    const seen = new Map<string, number>();
    fake.attempt = async ({ taskId, revision }) => {
      const key = `${taskId} ${revision.digest}`;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return count <= 4 && !taskId.includes('cross') ? halted : scored;
    };
    await (await start()).result();
    expect(new Set(seen.values())).toEqual(new Set([1, 5, 6]));
    expect(new Set(fake.of('untilServed').map(({ role }) => role))).toEqual(new Set(['solver']));
    expect(fake.of('writeReport')).toHaveLength(1);
  });

  test('holds its lanes and nothing else: what is scored meanwhile stands', async () => {
    await prepare();
    const served = gate();
    fake.served = served.wait;
    let first = true;
    fake.attempt = async () => {
      if (!first) return scored;
      first = false;
      return halted;
    };
    const handle = await start(1);
    await vi.waitFor(() => expect(fake.of('untilServed')).toHaveLength(1), eventually);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(fake.attempts).toHaveLength(1);
    served.open();
    await handle.result();
  });

  test('of the updater is waited for, then the same step is asked again as the next round', async () => {
    await prepare({ arms: [aceArm] });
    fake.modelHalted = (count) => count <= 3;
    await (await start()).result();
    const calls = fake.of('callModel');
    expect(calls.filter(({ stepKey }) => stepKey === calls[0]?.['stepKey']).map(({ round }) => round)).toEqual([
      1, 2, 3, 4,
    ]);
    expect(fake.of('untilServed').map(({ role }) => role)).toEqual(['updater', 'updater', 'updater']);
    expect(events()).not.toContain('updater-findings');
  });

  test('whose provider keeps failing on one attempt alone ends that attempt after a while', async () => {
    await prepare();
    fake.attempt = async ({ phase }) => (phase === 'final' ? scored : { ...halted, haltKind: 'failing' });
    fake.coverage = (count) => (count === 1 ? short(0) : full);
    const handle = await start(1);
    await vi.waitFor(() => expect(events()).toContain('experiment-held'), eventually);
    expect(fake.attempts).toHaveLength(2 * 9);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  });

  test('does not keep a cancelled experiment', async () => {
    await prepare();
    fake.attempt = async () => halted;
    fake.served = () => new Promise(() => {});
    const handle = await start();
    await vi.waitFor(() => expect(fake.of('untilServed')).toHaveLength(2), eventually);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(fake.of('writeReport')).toMatchObject([{ ended: 'cancelled' }]);
  });
});

describe('a pass below its floor because of infrastructure', () => {
  test('holds the baseline until it is resumed, runs it again, and goes on once it is covered', async () => {
    await prepare();
    fake.coverage = (count) => (count <= 2 ? short(1) : full);
    const handle = await start();
    for (const held of [1, 2]) {
      await vi.waitFor(
        () => expect(events().filter((event) => event === 'experiment-held')).toHaveLength(held),
        eventually,
      );
      await vi.waitFor(
        async () => expect(await handle.query(experimentStatus)).toMatchObject({ paused: true }),
        eventually,
      );
      expect(events()).not.toContain('search');
      await handle.signal(setPaused, { paused: false });
    }
    await handle.result();
    expect(events()).toEqual([
      'baseline',
      'experiment-held',
      'experiment-released',
      'experiment-held',
      'experiment-released',
      'search',
      'search-ended',
      'freeze',
      'final',
      'report',
    ]);
    expect(fake.of('recordDecision')[1]).toMatchObject({
      figures: { hold: 'coverage', pass: 'baseline', missing: 1, scored: 1, planned: 2 },
    });
  });

  test('holds the final once more for each score that a resume gained, then reports what there is', async () => {
    await prepare();
    fake.coverage = (count) => ({ 1: full, 2: short(0), 3: short(1) })[count] ?? short(1);
    const handle = await start();
    for (const held of [1, 2]) {
      await vi.waitFor(
        () => expect(events().filter((event) => event === 'experiment-held')).toHaveLength(held),
        eventually,
      );
      expect(fake.of('writeReport')).toEqual([]);
      await handle.signal(setPaused, { paused: false });
    }
    await handle.result();
    expect(fake.of('checkPass').slice(1)).toMatchObject(
      Array.from({ length: 3 }, () => ({ splits: ['final-in-domain', 'final-cross-office'] })),
    );
    expect(fake.of('writeReport')).toMatchObject([{ ended: 'complete' }]);
  });
});
