import type { JudgeReport } from '../../src/schema/judgement.ts';

/** What a judge says of a workbook whose total is wrong; `observed` is what it found there. */
export function wrongTotal(observed: string): JudgeReport {
  return {
    version: 1,
    delivered: true,
    deliveryFaults: [],
    criteria: [
      {
        id: 'total',
        text: 'the total is right',
        kind: 'semantic',
        weight: 0.6,
        category: 'facts',
        required: true,
        status: 'fail',
        earned: 0,
        observed,
        expected: '4',
      },
    ],
    rewardDeterministic: 0.4,
    rewardVisual: null,
    reward: 0.4,
    vector: { semantic: 0, preservation: null, interaction: null, strict: false },
  };
}
