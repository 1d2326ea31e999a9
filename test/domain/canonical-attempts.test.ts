import { describe, expect, it } from 'vitest';
import { canonicalAttempts } from '../../src/domain/canonical-attempts.ts';
import { agentError, infrastructure, judgeFailure, Story, type StoryOutcome } from '../support/record-builders.ts';
import { revisionDigest, taskId } from '../support/lock-builder.ts';

const task = (): string => {
  const [first] = new Story().lock.identity.tasks;
  return first?.id.split('/')[1] ?? '';
};

/** The epochs of one attempt, in order. */
function story(...outcomes: readonly StoryOutcome[]): Story {
  const told = new Story();
  for (const outcome of outcomes) told.attempts('h0', { [task()]: outcome });
  return told;
}

const standing = ({ records }: Story) => canonicalAttempts(records).of(revisionDigest('h0'), taskId(task()));

describe('the attempt that counts', () => {
  it.each([
    ['the first that is scored', [1, 0], 1],
    ['an agent error rather than a later success', [agentError(0), 1], 1],
    ['the first score after infrastructure failures', [infrastructure(), infrastructure(), 1], 3],
    ['the latest infrastructure failure where nothing else is', [infrastructure('one'), infrastructure('two')], 2],
  ])('is %s', (_, outcomes, epoch) => {
    expect(standing(story(...outcomes))?.epoch).toBe(epoch);
  });

  it('is the same whatever order the records come in', () => {
    const told = story(infrastructure(), agentError(0), 1);
    expect(canonicalAttempts(told.records.toReversed()).all).toEqual(canonicalAttempts(told.records).all);
  });

  it('takes the first later judgement that scores where its judge failed, in whatever order they stand', () => {
    const told = story(judgeFailure())
      .judgement('h0', task(), 2, judgeFailure('again'))
      .judgement('h0', task(), 3, 0.5)
      .judgement('h0', task(), 4, 1);
    expect(standing(told)?.outcome).toEqual({ kind: 'scored', reward: 0.5 });
    expect(canonicalAttempts(told.records.toReversed()).all).toEqual(canonicalAttempts(told.records).all);
  });

  it('is never replaced by a judgement once it has a score', () => {
    const told = story(0.25).judgement('h0', task(), 2, 1);
    expect(standing(told)?.outcome).toMatchObject({ reward: 0.25 });
  });

  it('is told apart by replicate, where 0 is the planned one', () => {
    const told = story(1);
    told.attempts('h0', { [task()]: 0 }, { replicate: 1 });
    const found = canonicalAttempts(told.records);
    expect(found.all).toHaveLength(2);
    expect(found.of(revisionDigest('h0'), taskId(task()), 1)?.outcome).toMatchObject({ reward: 0 });
    expect(standing(told)?.outcome).toMatchObject({ reward: 1 });
  });
});
