import type { JudgeReport } from '../schema/judgement.ts';

/** Scored without a report: the outputs killed the judge. */
export function unreadableDelivery(deliverables: readonly string[]): JudgeReport {
  return {
    version: 1,
    delivered: false,
    deliveryFaults: deliverables.map((file) => ({ file, fault: 'unreadable' })),
    criteria: [],
    rewardDeterministic: 0,
    rewardVisual: null,
    reward: 0,
    vector: { semantic: null, preservation: null, interaction: null, strict: false },
  };
}
