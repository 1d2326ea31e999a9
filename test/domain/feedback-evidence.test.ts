import { describe, expect, it } from 'vitest';
import { type EvidenceParts, feedbackEvidence } from '../../src/domain/feedback-evidence.ts';
import { FeedbackEvidence } from '../../src/schema/evidence.ts';
import { TaskId } from '../../src/schema/ids.ts';
import { Reward } from '../../src/schema/units.ts';

const canary = 'anneal-canary-1';
const parts: EvidenceParts = {
  split: 'feedback',
  taskId: TaskId.parse('office-mini/x1'),
  modality: 'spreadsheet',
  instruction: 'Fill in the totals.',
  inputs: ['input/orders.xlsx'],
  outcome: { kind: 'scored_with_agent_error', reward: Reward.parse(0.25), cause: 'crash', signature: 'KeyError: x' },
  report: {
    version: 1,
    delivered: true,
    deliveryFaults: [],
    criteria: [
      {
        id: 'total',
        text: 'Total is right',
        kind: 'semantic',
        weight: 1,
        category: 'facts',
        required: true,
        status: 'fail',
        earned: 0,
        observed: '7',
        expected: 'SECRET-VALUE-42',
      },
    ],
    rewardDeterministic: 0.25,
    rewardVisual: null,
    reward: 0.25,
    vector: { semantic: 0, preservation: 100, interaction: null, strict: false },
  },
  trajectory: {
    messages: [
      { role: 'system', content: 'prompt' },
      { role: 'assistant', content: `I looked at ${canary}` },
    ],
  },
  calls: 3,
  tokensCharged: 1000,
  canaries: [canary],
};

describe('feedbackEvidence', () => {
  it('is a document of the schema and holds neither expected values nor canaries', () => {
    const result = feedbackEvidence(parts);
    if (result.kind !== 'evidence') throw new Error(result.why);
    expect(FeedbackEvidence.parse(JSON.parse(JSON.stringify(result.evidence)))).toEqual(result.evidence);
    expect(JSON.stringify(result)).not.toMatch(/SECRET-VALUE-42|anneal-canary|"expected"/);
    expect(result.removed).toBe(1);
  });

  it('always joins the agent error with the score', () => {
    expect(feedbackEvidence(parts)).toMatchObject({
      evidence: { points: 25, agentError: { cause: 'crash', signature: 'KeyError: x' } },
    });
  });

  it.each(['selection', 'final-in-domain', 'final-cross-office'] as const)('refuses a task of %s', (split) => {
    expect(feedbackEvidence({ ...parts, split }).kind).toBe('refused');
  });

  it('is made without a trajectory too', () => {
    expect(feedbackEvidence({ ...parts, trajectory: null })).toMatchObject({
      kind: 'evidence',
      evidence: { transcript: [] },
    });
  });
});
