import { z } from 'zod';
import type { GatewayPort } from '../src/contract/gateway-port.ts';
import { JudgeEffect, RunEffect } from '../src/schema/attempt-effect.ts';
import type { AttemptKey } from '../src/schema/ids.ts';
import { Outcome } from '../src/schema/outcome.ts';
import { attemptEffects } from '../src/domain/effect-keys.ts';

/** The outcome that stands for good. */
export const CanonicalEffect = z.object({ outcome: Outcome });

/** The outcome of one epoch; `stopped` when a person ended its sandbox. */
export const RecordedEffect = z.object({ outcome: Outcome, stopped: z.boolean() });

/** How far an attempt has come: over with a score or without one, or in an epoch of which some steps may be done. */
export type AttemptStanding =
  | { readonly kind: 'scored'; readonly outcome: Outcome['kind']; readonly epoch: number }
  | { readonly kind: 'unscored'; readonly outcome: Outcome['kind'] }
  | {
      readonly kind: 'open';
      readonly epoch: number;
      /** null where that is still to be done. */
      readonly run: RunEffect | null;
      readonly judge: JudgeEffect | null;
    };

/** Read an attempt's effects, one exchange per epoch. The open epoch is the first that has no record. */
export async function attemptStanding(gateway: GatewayPort, key: AttemptKey): Promise<AttemptStanding> {
  for (let epoch = 1; ; epoch++) {
    const { effects } = await gateway.getEffects({
      keys: [
        attemptEffects.canonical(key),
        attemptEffects.recorded(key, epoch),
        attemptEffects.run(key, epoch),
        attemptEffects.judge(key, epoch),
      ],
    });
    const [canonical, recorded, run, judge] = effects.map((found) =>
      found.kind === 'found' ? found.effect.result : null,
    );
    const ended = RecordedEffect.nullable().parse(recorded)?.outcome ?? null;
    if (ended !== null && mayBeSolvedAgain(ended)) continue;
    if (canonical !== null) return { kind: 'scored', outcome: CanonicalEffect.parse(canonical).outcome.kind, epoch };
    if (ended === null) {
      return { kind: 'open', epoch, run: RunEffect.nullable().parse(run), judge: JudgeEffect.nullable().parse(judge) };
    }
    return { kind: 'unscored', outcome: ended.kind };
  }
}

/** Only an infrastructure failure of the run itself starts another epoch; a failed judge is cured by rejudging. */
export function mayBeSolvedAgain(outcome: Outcome): boolean {
  return outcome.kind === 'unscored_infra' && outcome.phase !== 'judge';
}
