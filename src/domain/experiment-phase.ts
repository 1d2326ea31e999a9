/** Where an experiment stands. It only moves to the right; `cancelled` may follow any phase before `reported`. */
export const experimentPhases = ['baseline', 'search', 'freeze', 'final', 'report', 'reported', 'cancelled'] as const;
export type ExperimentPhase = (typeof experimentPhases)[number];

/** A closed experiment's sealed records are open: after its report, or after it was cancelled. */
export function isClosed(phase: ExperimentPhase): boolean {
  return phase === 'reported' || phase === 'cancelled';
}
