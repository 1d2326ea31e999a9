import type { ExperimentPlan, Revision, SearchAllowance } from '../src/contract/activities.ts';
import type { Arm } from '../src/schema/experiment-config.ts';
import type { ActionResult, JsonObject } from '../src/updaters/step-machine.ts';
import type { SteeringState } from './steering.ts';

/** A revision whose selection number was disclosed; `exact` decides champions, `points` is what the arm saw. */
export interface Evaluated {
  readonly revision: Revision;
  readonly exact: number;
  readonly points: number;
}

/** All that a search carries from one history page to the next. */
export interface ArmState {
  /** Actions performed so far; names each step. */
  readonly step: number;
  /** Absolute end of the search, outages included; server clock. */
  readonly deadlineMs: number;
  /** null before `init`. */
  readonly updater: JsonObject | null;
  /** Committed candidates, in order. */
  readonly candidates: readonly Revision[];
  /** H0 first, once its query was booked. */
  readonly evaluated: readonly Evaluated[];
  /** Submissions that failed validation: no candidate is used up, but they are capped. */
  readonly rejected: number;
}

/** What a search is started with, and what it goes on with at each new page of its history. */
export interface ArmInput {
  readonly plan: ExperimentPlan;
  readonly arm: Arm;
  readonly steering: SteeringState;
  /** What of each cap over the whole experiment is kept for arms after this one; absent without caps. */
  readonly laterArms?: Readonly<Partial<Record<SearchAllowance['kind'], number>>>;
  /** null at the first page. */
  readonly state: ArmState | null;
  /** History events after which a search goes on as a new run. */
  readonly historyPage: number;
}

/** Why the search ended, and all that champions are named from. */
export interface ArmResult {
  readonly ended: string;
  readonly evaluated: readonly Evaluated[];
}

/** What one action left: the search's state, and what the updater is told. */
export interface ArmStep {
  readonly state: ArmState;
  readonly result: ActionResult;
}

/** A committed revision of this arm by digest, H0 included. */
export function revisionOf(input: ArmInput, state: ArmState, digest: string): Revision | null {
  return [input.plan.h0, ...state.candidates].find((revision) => revision.digest === digest) ?? null;
}
