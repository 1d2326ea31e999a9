import { z } from 'zod';
import { TaskId } from './ids.ts';
import { Category, Criterion } from './judgement.ts';
import { AgentErrorCause } from './outcome.ts';
import { Modality } from './splits.ts';

/** A criterion as an updater may see it: what was asked and seen, never what was expected. */
export const Diagnostic = z.object({
  id: z.string(),
  text: z.string(),
  kind: Criterion.shape.kind,
  category: Category,
  weight: z.number(),
  required: z.boolean(),
  status: Criterion.shape.status,
  earned: z.number(),
  observed: z.string(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

/** One message of a shortened conversation; `exit` is the runner's own last word on why the run ended. */
export const TranscriptEntry = z.object({ role: z.enum(['user', 'assistant', 'tool', 'exit']), text: z.string() });
export type TranscriptEntry = z.infer<typeof TranscriptEntry>;

/** What an updater gets of one feedback attempt, version 1. Every member has passed `visibleToUpdater`. */
export const FeedbackEvidence = z.object({
  version: z.literal(1),
  taskId: TaskId,
  modality: Modality,
  instruction: z.string(),
  /** Names of the input files, relative to the working directory. */
  inputs: z.array(z.string()),
  /** Reward × 100, exact. */
  points: z.number(),
  agentError: z.object({ cause: AgentErrorCause, signature: z.string() }).nullable(),
  calls: z.number().int().nonnegative(),
  tokensCharged: z.number().int().nonnegative(),
  deliveryFaults: z.array(z.object({ file: z.string(), fault: z.enum(['missing', 'empty', 'unreadable']) })),
  diagnostics: z.array(Diagnostic),
  /** Shortened: long messages and long runs keep their beginning and end. The system message is left out. */
  transcript: z.array(TranscriptEntry),
});
export type FeedbackEvidence = z.infer<typeof FeedbackEvidence>;

/** What a playbook rule must not quote. Holds reference values: for the engine's lint alone, no updater receives it. */
export const LeakTerms = z.object({
  taskIds: z.array(z.string()),
  fileNames: z.array(z.string()),
  referenceValues: z.array(z.string()),
  rubricSentences: z.array(z.string()),
});
export type LeakTerms = z.infer<typeof LeakTerms>;
