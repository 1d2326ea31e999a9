import { describe, expect, it } from 'vitest';
import type { TaskOutcome } from '../../src/domain/aggregate.ts';
import { pairedDelta } from '../../src/domain/paired-delta.ts';
import { TaskId } from '../../src/schema/ids.ts';
import { Reward } from '../../src/schema/units.ts';

const scored = (name: string, reward: number): TaskOutcome => ({
  taskId: TaskId.parse(`p/${name}`),
  outcome: { kind: 'scored', reward: Reward.parse(reward) },
});
const unscored = (name: string): TaskOutcome => ({
  taskId: TaskId.parse(`p/${name}`),
  outcome: { kind: 'unscored_infra', phase: 'judge', reason: 'r' },
});

describe('pairedDelta', () => {
  it('compares complete pairs only', () => {
    const candidate = [scored('a', 1), scored('b', 0.5), unscored('c'), scored('e', 1)];
    const baseline = [scored('a', 0.5), scored('b', 0.5), scored('c', 1), scored('d', 0)];
    expect(pairedDelta(candidate, baseline)).toEqual({ points: 25, pairs: 2 });
  });

  it('is taken before rounding', () => {
    const delta = pairedDelta([scored('a', 0.2349)], [scored('a', 0.2344)]);
    expect(delta.points).toBeCloseTo(0.05, 10);
  });

  it('counts crashed runs by their reward', () => {
    const crashed: TaskOutcome = {
      taskId: TaskId.parse('p/a'),
      outcome: { kind: 'scored_with_agent_error', reward: Reward.parse(0), cause: 'crash', signature: '' },
    };
    expect(pairedDelta([crashed], [scored('a', 1)])).toEqual({ points: -100, pairs: 1 });
  });

  it('has no value without a pair', () => {
    expect(pairedDelta([scored('a', 1)], [scored('b', 1)])).toEqual({ points: null, pairs: 0 });
  });
});
