import type { Split } from '../src/schema/splits.ts';
import { short } from './proxies.ts';
import { runPass, type PassInput } from './run-child.ts';
import type { Steering } from './steering.ts';

/** A pass that has to meet its floors of coverage. */
export interface CoveredPass {
  readonly name: 'baseline' | 'final';
  readonly splits: readonly Split[];
  /** Below the floor it is good for nothing more (false), or for what it has once a resumed pass scored nothing new (true). */
  readonly endsWithoutGain: boolean;
}

/**
 * Run a pass. Where infrastructure left it below a floor the experiment is held until a person resumes it; attempts
 * without a score are then made again, those with one stand.
 */
export async function runCovered(steering: Steering, covered: CoveredPass, pass: PassInput): Promise<void> {
  const { experimentId, revisions } = pass;
  const { name, splits, endsWithoutGain } = covered;
  let scoredBefore: number | null = null;
  for (let round = 1; ; round++) {
    await runPass(steering, round === 1 ? name : `${name}-again-${round - 1}`, pass);
    const { belowFloor, planned, scored, infrastructure, judge } = await short.checkPass({
      experimentId,
      revisions,
      splits,
    });
    if (!belowFloor || (endsWithoutGain && scored === scoredBefore)) return;
    scoredBefore = scored;
    const since = Date.now();
    const note = (event: string, reason: string): Promise<void> =>
      short.recordDecision({
        experimentId,
        id: `${event}/${name}/${round}`,
        arm: null,
        event,
        reason,
        figures: {
          hold: 'coverage',
          pass: name,
          missing: infrastructure,
          ...(judge === undefined ? {} : { judge }),
          scored,
          planned,
          since,
        },
      });
    const why = `ANL-4003 infrastructure left ${infrastructure} of ${planned} attempts of the ${name} without a score`;
    await steering.hold(() => note('experiment-held', why));
    await note('experiment-released', 'resumed by a person');
  }
}
