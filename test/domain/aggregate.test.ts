import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate, type TaskOutcome } from '../../src/domain/aggregate.ts';
import { isAnnealError } from '../../src/domain/errors.ts';
import { TaskId } from '../../src/schema/ids.ts';
import type { Outcome } from '../../src/schema/outcome.ts';
import { Reward } from '../../src/schema/units.ts';

const id = (number: number): TaskId => TaskId.parse(`p/t${number}`);
const scored = (reward: number): Outcome => ({ kind: 'scored', reward: Reward.parse(reward) });
const crashed = (reward: number): Outcome => ({
  kind: 'scored_with_agent_error',
  reward: Reward.parse(reward),
  cause: 'crash',
  signature: 's',
});
const infra: Outcome = { kind: 'unscored_infra', phase: 'provider', reason: '503' };
const cancelled: Outcome = { kind: 'cancelled', by: 'p' };

describe('aggregate', () => {
  it('keeps the planned denominator whatever came back', () => {
    const fold = aggregate(
      [id(1), id(2), id(3), id(4), id(5)],
      [
        { taskId: id(1), outcome: scored(1) },
        { taskId: id(2), outcome: crashed(0) },
        { taskId: id(3), outcome: infra },
        { taskId: id(4), outcome: cancelled },
      ],
    );
    expect(fold).toEqual({
      planned: 5,
      scored: 2,
      agentErrors: 1,
      infrastructure: 1,
      cancelled: 1,
      missing: 1,
      mean: 0.5,
      points: 50,
      coverage: 0.4,
    });
  });

  it('does not turn three errors and one right answer into a perfect score with full coverage', () => {
    const fold = aggregate([1, 2, 3, 4].map(id), [
      { taskId: id(1), outcome: scored(1) },
      ...[2, 3, 4].map((number) => ({ taskId: id(number), outcome: infra })),
    ]);
    expect([fold.coverage, fold.infrastructure]).toEqual([0.25, 3]);
  });

  it('counts agent errors in the mean', () => {
    expect(
      aggregate(
        [id(1), id(2)],
        [
          { taskId: id(1), outcome: scored(1) },
          { taskId: id(2), outcome: crashed(0) },
        ],
      ).mean,
    ).toBe(0.5);
  });

  it('takes negative rewards as they are', () => {
    expect(aggregate([id(1)], [{ taskId: id(1), outcome: scored(-0.2) }]).points).toBeCloseTo(-20, 12);
  });

  it('has no mean when nothing is scored', () => {
    expect(aggregate([id(1)], [{ taskId: id(1), outcome: infra }])).toMatchObject({
      mean: null,
      points: null,
      coverage: 0,
    });
  });

  it.each([
    ['an outcome that was not planned', [{ taskId: id(9), outcome: scored(1) }]],
    [
      'two outcomes of one task',
      [
        { taskId: id(1), outcome: scored(1) },
        { taskId: id(1), outcome: scored(0) },
      ],
    ],
  ])('refuses %s', (_, outcomes) => {
    let thrown: unknown;
    try {
      aggregate([id(1)], outcomes);
    } catch (error) {
      thrown = error;
    }
    expect(isAnnealError(thrown, 'ANL-6009')).toBe(true);
  });

  it('gives the same bits in whatever order outcomes arrive', () => {
    const rewards = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(rewards, fc.infiniteStream(fc.nat()), (values, keys) => {
        const outcomes: TaskOutcome[] = values.map((value, index) => ({ taskId: id(index), outcome: scored(value) }));
        const shuffled = outcomes
          .map((outcome) => ({ outcome, key: keys.next().value ?? 0 }))
          .toSorted((left, right) => left.key - right.key)
          .map(({ outcome }) => outcome);
        const planned = outcomes.map(({ taskId }) => taskId);
        expect(aggregate(planned, shuffled).mean).toBe(aggregate(planned, outcomes).mean);
      }),
    );
  });
});
