import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SearchAllowance } from '../../src/contract/activities.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import type { ArmInput, ArmResult } from '../../workflows/arm-state.ts';
import type { FakeActivities } from '../support/fake-activities.ts';
import { aceArm, planOf, plannedTasks, revision } from '../support/plan-builder.ts';
import { type TemporalServer, startTemporalServer } from '../support/temporal-server.ts';
import { WorkflowFixture } from '../support/workflow-fixture.ts';

const second = 1_000;
let server: TemporalServer;
let fixture: WorkflowFixture;
let fake: FakeActivities;
let experiments = 0;

beforeAll(async () => {
  server = await startTemporalServer();
});

afterAll(() => server.stop());

beforeEach(async () => {
  fixture = new WorkflowFixture(server.environment, planOf());
  ({ fake } = fixture);
  await fixture.startWorker();
});

afterEach(() => fixture.stopWorker());

/** A search of one lane and one candidate with H0 measured: six feedback and two selection tasks. */
async function search(leftMs: number, caps?: { readonly moneyUsd: number }): Promise<ArmResult> {
  experiments += 1;
  const plan = planOf({ tasks: [...plannedTasks('feedback', 6), ...plannedTasks('selection', 2)] });
  const { budgets } = plan;
  const input: ArmInput = {
    plan: {
      ...plan,
      experimentId: ExperimentId.parse(`exp_${String(experiments).padStart(8, '0')}`),
      budgets: {
        ...budgets,
        arm: { ...budgets.arm, candidates: 1 },
        ...(caps === undefined ? {} : { experiment: caps }),
      },
    },
    arm: aceArm,
    steering: { paused: false, lanes: 1 },
    ...(caps === undefined ? {} : { laterArms: { money: 7 } }),
    state: {
      step: 0,
      deadlineMs: Date.now() + leftMs,
      updater: null,
      candidates: [],
      evaluated: [{ revision: revision(0), exact: 50, points: 50 }],
      rejected: 0,
    },
    historyPage: 2_000,
  };
  return (await (await fixture.start('arm', input)).result()) as ArmResult;
}

/** A cap on money of which a search of one attempt a dollar has so many dollars left. */
function capped(dollars: number, changes: Partial<SearchAllowance> = {}): readonly SearchAllowance[] {
  const dollar = 1_000_000;
  const standing = { kind: 'money', limit: 50 * dollar, used: 2 * dollar, finals: 3 * dollar, laterArms: 0 } as const;
  const draws = { perAttempt: { mean: dollar, deviation: 0 }, perCall: 100_000, updaterPerAttempt: 0 };
  return [{ ...standing, ...draws, left: dollars * dollar, ...changes }];
}

const decisions = () => fake.of('recordDecision').map(({ event, reason, figures }) => ({ event, reason, figures }));
const feedbackTried = () => fake.attempts.filter(({ taskId }) => taskId.includes('feedback')).length;

describe('the admission of a pass', () => {
  test('runs what fits whole, and says nothing of it', async () => {
    fake.forecast = { wallP90Ms: 20 * second, standing: [] };
    await search(300 * second);
    expect(feedbackTried()).toBe(6);
    expect(decisions().map(({ event }) => event)).toEqual(['search-ended']);
  });

  test('shrinks feedback to what fits with the selection after it, and declares the subset', async () => {
    fake.forecast = { wallP90Ms: 20 * second, standing: [] };
    await search(158 * second);
    expect(feedbackTried()).toBe(5);
    expect(decisions()[0]).toMatchObject({
      event: 'pass-shrunk',
      reason:
        'feedback and the selection after it need 3 min (p90, lanes: 1), 3 min of search time are left: 5 of 6 tasks are run',
      figures: { needMs: 160 * second, planned: 6, admitted: 5, lanes: 1 },
    });
    expect(decisions()[1]).toMatchObject({ event: 'feedback-partial' });
  });

  test('refuses feedback of which too little would fit: nothing is started and the search ends for its time', async () => {
    fake.forecast = { wallP90Ms: 20 * second, standing: [] };
    const result = await search(100 * second);
    expect(result.ended).toBe('feedback refused: wall');
    expect(fake.attempts).toEqual([]);
    expect(decisions()[0]).toMatchObject({ event: 'pass-refused', figures: { planned: 6, admitted: 0 } });
  });

  test('refuses a selection pass that does not fit before anything is committed or a query booked', async () => {
    fake.attempt = async () => {
      fake.forecast = { wallP90Ms: 60 * second, standing: [] };
      return { outcome: 'scored', solveAgain: 'no' };
    };
    const result = await search(100 * second);
    expect(result.ended).toBe('submission refused: wall');
    expect(feedbackTried()).toBe(6);
    expect([fake.of('commitCandidate'), fake.of('reserveQuery')]).toEqual([[], []]);
  });

  test('expects the wall limit of a task while nothing is known, and at most that', async () => {
    fake.forecast = { wallP90Ms: null, standing: [] };
    expect((await search(479 * second)).ended).not.toBe('feedback refused: wall');
    expect(decisions()[0]).toMatchObject({ event: 'pass-shrunk', figures: { needMs: 480 * second } });
  });

  test('refuses feedback that the cap on money does not cover with the selection after it', async () => {
    fake.allowances = capped(5.5);
    const result = await search(300 * second, { moneyUsd: 50 });
    expect(result.ended).toBe('feedback refused: money');
    expect(fake.attempts).toEqual([]);
    expect(decisions()[0]).toMatchObject({
      event: 'pass-refused',
      reason:
        'feedback and the selection after it need $8.10 (p90 and one call), $5.50 of the cap are left to this search',
      figures: { cap: 'money', need: 8_100_000, left: 5_500_000, planned: 6, admitted: 0 },
    });
  });

  test('asks for a share before every pass, with what is kept for later arms, and never without a cap', async () => {
    fake.allowances = capped(40);
    await search(300 * second, { moneyUsd: 50 });
    const { experimentId } = fake.of('holdShare')[0] ?? {};
    expect(fake.of('holdShare')).toEqual([
      { experimentId, laterArms: { amounts: { money: 7 } } },
      { experimentId, laterArms: { amounts: { money: 7 } } },
    ]);
    await search(300 * second);
    expect(fake.of('holdShare')).toHaveLength(2);
  });

  test('counts no time for attempts whose outcome stands', async () => {
    const standing = plannedTasks('feedback', 6).map(({ id }) => id);
    fake.forecast = { wallP90Ms: 20 * second, standing };
    expect((await search(60 * second)).evaluated.map((entry) => entry.revision.candidate)).toEqual([0, 1]);
  });
});
