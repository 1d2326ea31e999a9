import { describe, expect, it } from 'vitest';
import { replayMisses, type DeclaredReplay } from '../../src/domain/replay-misses.ts';
import type { JudgeReport } from '../../src/schema/judgement.ts';

function criterion(id: string, status: JudgeReport['criteria'][number]['status'], category: string) {
  return {
    id,
    text: id,
    kind: 'semantic',
    weight: 0.5,
    category,
    required: true,
    status,
    earned: status === 'pass' ? 1 : 0,
    observed: '',
    expected: null,
  } as JudgeReport['criteria'][number];
}

const report: JudgeReport = {
  version: 1,
  delivered: true,
  deliveryFaults: [],
  criteria: [
    criterion('total', 'fail', 'facts'),
    criterion('title', 'partial', 'facts'),
    criterion('chart', 'unknown', 'visual-layout'),
    criterion('table', 'pass', 'native-structure'),
  ],
  rewardDeterministic: 0.5,
  rewardVisual: null,
  reward: 0.5,
  vector: { semantic: 50, preservation: null, interaction: null, strict: false },
};

const asSeen: DeclaredReplay = {
  reward: [0.5, 0.5],
  delivered: true,
  failing: ['total', 'title'],
  unknown: ['chart'],
  categories: ['facts'],
};

describe('a replay is as declared', () => {
  it('when every declared field agrees, and a field that is not declared may be anything', () => {
    expect(replayMisses(asSeen, report)).toEqual([]);
    expect(replayMisses({ reward: [0.4, 0.6] }, report)).toEqual([]);
  });

  it.each<[string, Partial<DeclaredReplay>, string]>([
    ['reward', { reward: [0.6, 1] }, 'reward 0.5, declared 0.6 to 1'],
    ['delivered', { delivered: false }, 'delivered true, declared false'],
    ['failing', { failing: ['total'] }, 'failing total title, declared total'],
    ['failing in another order', { failing: ['title', 'total'] }, 'failing total title, declared title total'],
    ['unknown', { unknown: [] }, 'unknown chart, declared none'],
    ['categories', { categories: ['facts', 'visual-layout'] }, 'categories facts, declared facts visual-layout'],
  ])('and missed when %s is not what was declared', (_, change, miss) => {
    expect(replayMisses({ ...asSeen, ...change }, report)).toEqual([miss]);
  });

  it('never with a hair more than the 0 that was declared', () => {
    expect(replayMisses({ reward: [0, 0] }, { ...report, reward: 1e-9 })).toEqual(['reward 1e-9, declared 0']);
    expect(replayMisses({ reward: [0.5, 0.5] }, { ...report, reward: 0.5 + 1e-9 })).toEqual([]);
  });

  it('never without a verdict', () => {
    expect(replayMisses(asSeen, null)).toEqual(['the judge gave no verdict']);
  });
});
