import type { LeakTerms } from '../schema/evidence.ts';
import type { Finding, JsonObject } from './step-machine.ts';

/** All that a derive function may look at. */
export interface DeriveInputs {
  /** Contents behind the action's refs, by name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly parameters: JsonObject;
  /** The engine's own, for lints alone: nothing of it may stand in texts, value or findings. */
  readonly leakTerms: LeakTerms;
}

/** Results by value. `invalid` makes the action's result `invalid` and stores nothing. */
export type DeriveOutcome =
  | {
      readonly kind: 'ok';
      /** Texts to be stored; their references go to the updater under these names. */
      readonly texts: Readonly<Record<string, string>>;
      readonly value: JsonObject;
      readonly findings: readonly Finding[];
    }
  | { readonly kind: 'invalid'; readonly findings: readonly Finding[] };

/** A pure function that runs outside the workflow, where its inputs are too large to travel. Never throws. */
export type DeriveFunction = (inputs: DeriveInputs) => DeriveOutcome;
