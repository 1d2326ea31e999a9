import type { HarnessDigest, TaskId } from '../../schema/ids.ts';
import type { BlobRef, BudgetKind, Finding, SearchEnd, TaskEvidence } from '../step-machine.ts';

/** An arm's settings, frozen with the experiment. */
export type AceSettings = {
  /** Operations a curator may use. */
  readonly curatorOps: readonly string[];
  /** Cap on playbook.md in bytes. */
  readonly playbookBytes: number;
};

/** A feedback task and the reflector's parsed reply on it. */
export type Reflected = { readonly taskId: TaskId; readonly reflection: BlobRef };

/** What the search waits for; the head of a queue is the task in hand. */
type AceStep =
  | { readonly kind: 'solve' }
  | { readonly kind: 'reflect'; readonly pending: readonly TaskEvidence[]; readonly done: readonly Reflected[] }
  | { readonly kind: 'tag'; readonly queue: readonly Reflected[] }
  | { readonly kind: 'curate'; readonly queue: readonly Reflected[] }
  | { readonly kind: 'apply-delta'; readonly queue: readonly Reflected[]; readonly curation: BlobRef }
  | { readonly kind: 'submit' }
  | { readonly kind: 'finish'; readonly end: SearchEnd; readonly reason: string };

/** Model calls and operations of the search so far; failed and refused ones are not among the others. */
export type AceCounters = {
  readonly reflections: number;
  readonly reflectionsFailed: number;
  readonly curations: number;
  readonly curationsFailed: number;
  readonly operationsApplied: number;
  readonly operationsRefused: number;
  readonly tagsCounted: number;
};

/** All that a resumed search needs; a checkpoint after every action. */
export type AceState = {
  readonly version: 1;
  readonly settings: AceSettings;
  /** Feedback tasks of each batch, in id order. */
  readonly batches: readonly (readonly TaskId[])[];
  /** Index of the batch in hand. */
  readonly batch: number;
  /** Last committed revision and its playbook: what feedback is solved with, and what a refused submission returns to. */
  readonly base: { readonly revision: HarnessDigest; readonly playbook: BlobRef };
  /** The playbook as curated so far. */
  readonly playbook: BlobRef;
  readonly nextId: number;
  readonly counters: AceCounters;
  readonly step: AceStep;
  /** Times that this batch asked again after an infrastructure failure that may pass. */
  readonly retries: number;
  /** What refused the updater another call; null = nothing. The batch in hand is still submitted. */
  readonly exhausted: BudgetKind | null;
  /** Told to the engine before the next action. */
  readonly notes: readonly Finding[];
};
