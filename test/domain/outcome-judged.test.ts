import { describe, expect, it } from 'vitest';
import { joinJudgement } from '../../src/domain/outcome.ts';
import { Outcome } from '../../src/schema/outcome.ts';
import { Reward } from '../../src/schema/units.ts';

describe('joinJudgement', () => {
  const reward = Reward.parse(-0.2);
  const crash = { kind: 'agent_error', cause: 'crash', signature: 's' } as const;
  it.each([
    ['scores a run that ended', { kind: 'ended' }, { kind: 'judged', reward }, { kind: 'scored', reward: -0.2 }],
    [
      'counts a crash inside an evolved harness as scored_with_agent_error',
      crash,
      { kind: 'judged', reward },
      { kind: 'scored_with_agent_error', reward: -0.2, cause: 'crash', signature: 's' },
    ],
    [
      'keeps a failed judge as unscored, never as 0',
      { kind: 'ended' },
      { kind: 'failed', reason: 'r' },
      { kind: 'unscored_infra', phase: 'judge', reason: 'r' },
    ],
    [
      'keeps a failed judge of a crashed run as unscored',
      crash,
      { kind: 'failed', reason: 'r' },
      { kind: 'unscored_infra', phase: 'judge', reason: 'r' },
    ],
    [
      'takes a reward that is no number for a failed judge',
      { kind: 'ended' },
      { kind: 'judged', reward: Number.NaN as Reward },
      { kind: 'unscored_infra', phase: 'judge' },
    ],
    [
      'does not score infrastructure, even with a reward',
      { kind: 'infrastructure', phase: 'host', reason: 'r' },
      { kind: 'judged', reward },
      { kind: 'unscored_infra', phase: 'host', reason: 'r' },
    ],
    [
      'keeps a cancelled run cancelled',
      { kind: 'cancelled', by: 'p' },
      { kind: 'judged', reward },
      { kind: 'cancelled', by: 'p' },
    ],
  ] as const)('%s', (_, run, judge, expected) => {
    const outcome = joinJudgement(run, judge);
    expect(outcome).toMatchObject(expected);
    expect(Outcome.safeParse(outcome).success).toBe(true);
  });
});
