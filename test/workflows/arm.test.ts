import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Activities, ExperimentPlan } from '../../src/contract/activities.ts';
import type { Arm } from '../../src/schema/experiment-config.ts';
import type { ArmInput, ArmResult, ArmState } from '../../workflows/arm-state.ts';
import { setPaused } from '../../workflows/messages.ts';
import type { FakeActivities } from '../support/fake-activities.ts';
import { aceArm, planOf, revision, staticArm } from '../support/plan-builder.ts';
import { type TemporalServer, startTemporalServer } from '../support/temporal-server.ts';
import { WorkflowFixture } from '../support/workflow-fixture.ts';

let server: TemporalServer;
let fixture: WorkflowFixture;
let fake: FakeActivities;

beforeAll(async () => {
  server = await startTemporalServer();
});

afterAll(() => server.stop());

beforeEach(prepare);

async function prepare(): Promise<void> {
  fixture = new WorkflowFixture(server.environment, planOf());
  ({ fake } = fixture);
  await fixture.startWorker();
}

afterEach(() => fixture.stopWorker());

/** Ids of children follow from the experiment's: each test needs one of its own. */
let experiments = 0;

interface Changes {
  readonly arm?: Arm;
  readonly searchSeconds?: number;
  readonly candidates?: number;
  readonly historyPage?: number;
  readonly state?: ArmState | null;
  readonly paused?: boolean;
  readonly lanes?: number;
}

function inputOf(changes: Changes): ArmInput {
  const {
    lanes = 2,
    arm = aceArm,
    searchSeconds = 600,
    candidates = 3,
    historyPage = 2_000,
    state = null,
    paused = false,
  } = changes;
  experiments += 1;
  const { budgets, ...plan } = planOf();
  const experimentId = `exp_${String(experiments).padStart(8, '0')}` as ExperimentPlan['experimentId'];
  return {
    plan: {
      ...plan,
      experimentId,
      budgets: { ...budgets, arm: { ...budgets.arm, candidates, searchHours: searchSeconds / 3_600 } },
    },
    arm,
    steering: { paused, lanes },
    state,
    historyPage,
  };
}

/** A search that was carried over with H0 measured. */
function stateOf(changes: Partial<ArmState>): ArmState {
  return {
    step: 7,
    deadlineMs: Date.now() + 600_000,
    updater: null,
    candidates: [],
    evaluated: [{ revision: revision(0), exact: 50, points: 50 }],
    rejected: 0,
    ...changes,
  };
}

const start = (changes: Changes = {}): Promise<WorkflowHandle> => fixture.start('arm', inputOf(changes));
const run = async (changes: Changes = {}): Promise<ArmResult> => (await (await start(changes)).result()) as ArmResult;
const candidatesOf = ({ evaluated }: ArmResult): number[] => evaluated.map((entry) => entry.revision.candidate);
const eventually = { timeout: 30_000, interval: 20 };

/** What was asked for, without ids that differ from one experiment to the next. */
function trace(): string[] {
  const effects = fake.effects.map(({ name, input }) => JSON.stringify([name, { ...input, experimentId: null }]));
  return [...effects, ...fake.attempts.map(({ taskId, revision: { digest } }) => `attempt ${taskId} ${digest}`)];
}

describe('a search', () => {
  test('of the static arm measures H0 once and ends', async () => {
    const result = await run({ arm: staticArm });
    expect(result).toMatchObject({ ended: 'static: H0 stays as it is', evaluated: [{ exact: 50, points: 50 }] });
    expect(fake.names()).toEqual(['reserveQuery', 'discloseQuery', 'recordDecision']);
    expect(fake.attempts).toHaveLength(2);
    expect(fake.of('recordDecision')).toMatchObject([{ event: 'search-ended', arm: 'static' }]);
  });

  test('of ACE measures H0, then each of three candidates, and uses a query for each', async () => {
    const result = await run();
    expect(candidatesOf(result)).toEqual([0, 1, 2, 3]);
    expect(result.evaluated.map(({ exact }) => exact)).toEqual([50, 60, 70, 80]);
    expect(fake.of('reserveQuery')).toHaveLength(4);
    expect(fake.of('commitCandidate').map(({ candidate }) => candidate)).toEqual([1, 2, 3]);
    const revisions = new Set(
      fake.attempts.filter(({ phase }) => phase === 'baseline').map((each) => each.revision.candidate),
    );
    expect([...revisions]).toEqual([0]);
  });

  test('tells the updater no more than the rounded number', async () => {
    fake.points = (candidate) => 50.4321 + candidate;
    const result = await run({ candidates: 1 });
    expect(result.evaluated.map(({ exact, points }) => [exact, points])).toEqual([
      [50.4321, 50],
      [51.4321, 51],
    ]);
  });

  test('leaves a candidate below the coverage floor unevaluated and goes on', async () => {
    fake.points = (candidate) => (candidate === 2 ? null : 50);
    const result = await run();
    expect(candidatesOf(result)).toEqual([0, 1, 3]);
    expect(fake.of('commitCandidate')).toHaveLength(3);
  });

  test('ends when a candidate beyond the cap is refused, before anything is measured for it', async () => {
    const state = stateOf({ candidates: [revision(1)] });
    const result = await run({ candidates: 1, state });
    expect(result).toEqual({ ended: 'submission refused: candidates', evaluated: state.evaluated });
    expect(fake.of('reserveQuery')).toEqual([]);
    expect(fake.of('commitCandidate')).toMatchObject([{ candidate: 2, candidateCap: 1 }]);
  });

  test('makes the same effects in many runs as in one', async () => {
    await run();
    const inOne = trace();
    const one = fake;
    await fixture.stopWorker();
    await prepare();
    const handle = await start({ historyPage: 40 });
    await handle.result();
    expect(await fixture.runsOf(handle.workflowId)).toBeGreaterThan(3);
    expect(trace()).toEqual(inOne);
    expect(one).not.toBe(fake);
  });

  test('asks for nothing while it is paused', async () => {
    const handle = await start({ paused: true, arm: staticArm });
    await vi.waitFor(() => expect(fake.of('reserveQuery')).toHaveLength(1), eventually);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(fake.attempts).toEqual([]);
    await handle.signal(setPaused, { paused: false });
    await handle.result();
    expect(fake.attempts).toHaveLength(2);
  });

  test('passes the last word on a pause on to the pass that runs', async () => {
    const held = fake.hold();
    const handle = await start({ arm: staticArm, lanes: 1 });
    await vi.waitFor(() => expect(fake.inFlight).toBe(1), eventually);
    const words = [true, false, true, false, true];
    for (const paused of words) await handle.signal(setPaused, { paused });
    await fixture.untilTold(handle, words.length);
    held.release(2);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect([fake.inFlight, fake.attempts.length]).toEqual([0, 1]);
    await handle.signal(setPaused, { paused: false });
    await handle.result();
    expect(fake.attempts).toHaveLength(2);
  });
});

describe('the time of a search', () => {
  const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  /** From now on this effect takes longer than the search may. */
  const outlasting = (name: keyof Activities, searchSeconds: number): void => {
    fake.delay = async (effect) => (effect.name === name ? pause(searchSeconds * 1_000 + 300) : undefined);
  };

  /**
   * A search that is cut off where it has to be: one whose time was over before it came there is made again with twice as
   * much. Short on a machine at rest, and no slower one is too slow.
   */
  async function cutOff(
    search: (seconds: number) => Promise<ArmResult>,
    cameThere: () => boolean,
    seconds = 1,
  ): Promise<ArmResult> {
    const result = await search(seconds);
    if (cameThere() || seconds > 30) return result;
    await fixture.stopWorker();
    await prepare();
    return cutOff(search, cameThere, 2 * seconds);
  }

  test('ends it in the middle of a selection pass: the candidate is not evaluated and its query is given back', async () => {
    const search = (searchSeconds: number): Promise<ArmResult> => {
      fake.attempt = async ({ phase, revision: { candidate } }) =>
        phase === 'search' && candidate === 1 ? fake.hang() : { outcome: 'scored', solveAgain: 'no' };
      return run({ searchSeconds });
    };
    const measured = (): number => fake.attempts.filter(({ revision: { candidate } }) => candidate === 1).length;
    const result = await cutOff(search, () => measured() === 2, 2);
    expect(result.ended).toBe('search time is over');
    expect(candidatesOf(result)).toEqual([0]);
    expect(fake.of('discloseQuery').at(-1)).toMatchObject({ interrupted: true, revision: { candidate: 1 } });
    expect([fake.inFlight, fake.cancelled]).toEqual([0, 2]);
    expect(fake.of('recordDecision').at(-1)).toMatchObject({ event: 'search-ended', reason: 'search time is over' });
  });

  test('ends it while H0 is measured, without a number', async () => {
    const search = (searchSeconds: number): Promise<ArmResult> => {
      fake.attempt = fake.hang;
      return run({ searchSeconds, arm: staticArm });
    };
    const result = await cutOff(search, () => fake.attempts.length === 2);
    expect(result).toEqual({ ended: 'search time is over', evaluated: [] });
    expect(fake.inFlight).toBe(0);
  });

  test('is absolute: a search that comes back too late does nothing more and keeps what it had', async () => {
    const state = stateOf({ deadlineMs: Date.now() - 1, candidates: [revision(1)] });
    const result = await run({ state });
    expect(result).toEqual({ ended: 'search time is over', evaluated: state.evaluated });
    expect(fake.names()).toEqual(['recordDecision']);
  });

  test('does not lose a number whose disclosure was begun: it counts among the choices of the champion', async () => {
    const search = (searchSeconds: number): Promise<ArmResult> => {
      outlasting('discloseQuery', searchSeconds);
      return run({ searchSeconds, arm: staticArm });
    };
    const begun = (): boolean => fake.of('discloseQuery').some(({ interrupted }) => interrupted !== true);
    const result = await cutOff(search, begun);
    expect(result.ended).toBe('search time is over');
    expect(candidatesOf(result)).toEqual([0]);
    expect(fake.of('discloseQuery')).toHaveLength(1);
    expect(fake.of('discloseQuery')[0]).not.toHaveProperty('interrupted');
  });

  test('gives back a query that was being booked', async () => {
    const search = (searchSeconds: number): Promise<ArmResult> => {
      outlasting('reserveQuery', searchSeconds);
      return run({ searchSeconds });
    };
    const result = await cutOff(search, () => fake.of('reserveQuery').length > 0);
    expect(result).toEqual({ ended: 'search time is over', evaluated: [] });
    expect(fake.attempts).toEqual([]);
    expect(fake.of('discloseQuery')).toMatchObject([{ interrupted: true }]);
  });

  test('keeps a candidate that was being committed, unmeasured', async () => {
    const search = (searchSeconds: number): Promise<ArmResult> => {
      outlasting('commitCandidate', searchSeconds);
      return run({ state: stateOf({ deadlineMs: Date.now() + searchSeconds * 1_000 }) });
    };
    const result = await cutOff(search, () => fake.of('commitCandidate').length > 0);
    expect(result.ended).toBe('search time is over');
    expect(candidatesOf(result)).toEqual([0]);
    expect(fake.of('reserveQuery')).toEqual([]);
    expect(fake.of('recordDecision').at(-1)).toMatchObject({ figures: { candidates: 1, evaluated: 1 } });
  });

  test('does not keep a cancellation from outside from ending it while a number is disclosed', async () => {
    const disclosing = new Promise<void>((resolve) => {
      fake.delay = async ({ name }) => {
        if (name !== 'discloseQuery') return;
        resolve();
        await pause(1_000);
      };
    });
    const handle = await start();
    await disclosing;
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(fake.ended).toEqual(['reserveQuery', 'performAttempt', 'performAttempt', 'discloseQuery']);
  });

  test('does not end what is cancelled from outside: that stays a cancellation', async () => {
    fake.attempt = fake.hang;
    const handle = await start({ arm: staticArm });
    await vi.waitFor(() => expect(fake.inFlight).toBe(2), eventually);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(fake.of('recordDecision')).toEqual([]);
    expect(fake.of('discloseQuery')).toMatchObject([{ interrupted: true }]);
    expect([fake.inFlight, fake.cancelled]).toEqual([0, 2]);
  });
});
