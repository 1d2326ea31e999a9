import { afterEach, beforeEach, expect, test } from 'vitest';
import { TaskId } from '../../src/schema/ids.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

const tasks = ['desk/d1', 'desk/p1'].map((task) => TaskId.parse(task));
const forecast = (revision = fixture.plan.h0 as typeof fixture.plan.h0 | null) =>
  fixture.run('forecastPass', { experimentId: fixture.lock.id, revision, taskIds: tasks, replicate: 0 });
const perform = (task: string) => fixture.run('performAttempt', fixture.attempt(task));

test('before the first score nothing is known of the time that attempts take', async () => {
  expect(await forecast()).toEqual({ wallP90Ms: null, standing: [] });
});

test('a scored attempt tells how long the next ones take, and is not made again', async () => {
  await perform('desk/d1');
  const { wallP90Ms, standing } = await forecast();
  const [attempt] = await fixture.attempts();
  expect(wallP90Ms).toBe((attempt?.wallMs ?? 0) + (attempt?.phases['judge'] ?? 0));
  expect(attempt?.phases['judge']).toBeGreaterThan(0);
  expect(standing).toEqual(['desk/d1']);
});

test('of a revision that is not committed yet nothing stands', async () => {
  await perform('desk/d1');
  expect((await forecast(null)).standing).toEqual([]);
});

test('an attempt that infrastructure ended tells no time and is made again', async () => {
  fixture.sandbox.run = () => ({ kind: 'lost', reason: 'gone', elapsedMs: 3 });
  await perform('desk/d1');
  expect(await forecast()).toEqual({ wallP90Ms: null, standing: [] });
});
