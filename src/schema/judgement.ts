import { z } from 'zod';

/** The seven quality categories of a failed criterion (paper, quality violations). */
export const Category = z.enum([
  'facts',
  'native-structure',
  'protected-content',
  'evidence-trace',
  'scope-privacy',
  'cross-file',
  'visual-layout',
]);
export type Category = z.infer<typeof Category>;

/** One judged requirement. `expected` is sealed: an updater never receives it. */
export const Criterion = z.object({
  id: z.string(),
  text: z.string(),
  kind: z.enum(['usability', 'semantic', 'preservation', 'interaction', 'visual']),
  /** Negative = penalty. Positive weights of a task sum to 1. */
  weight: z.number(),
  category: Category,
  required: z.boolean(),
  status: z.enum(['pass', 'fail', 'partial', 'unknown', 'skipped']),
  /** Share earned: 1 for pass, 0 for fail, unknown and skipped; for a penalty 1 = hit. */
  earned: z.number().min(0).max(1),
  /** What the judge saw in the file; at most 300 characters. */
  observed: z.string(),
  /** null where the criterion compares with nothing. */
  expected: z.string().nullable(),
});
export type Criterion = z.infer<typeof Criterion>;

/** `judge.json`, version 1: everything a task's tests found. `reward` equals `reward.txt`. */
export const JudgeReport = z.object({
  version: z.literal(1),
  /** False when a required file is missing, empty or unreadable: the reward is then 0 whatever else holds. */
  delivered: z.boolean(),
  deliveryFaults: z.array(z.object({ file: z.string(), fault: z.enum(['missing', 'empty', 'unreadable']) })),
  criteria: z.array(Criterion),
  /** Earned share of the positive weight, penalties taken off: at most 1, may be negative; 0 where not delivered. */
  rewardDeterministic: z.number(),
  /** null where the task declares no visual scoring. */
  rewardVisual: z.number().nullable(),
  /** The deterministic part alone, or 0.7 of it and 0.3 of the visual one; a task may lift what is negative to 0. */
  reward: z.number(),
  vector: z.object({
    /** Share of the weight of each kind that was earned, from 0 to 100; null where the task has no criterion of it. */
    semantic: z.number().nullable(),
    preservation: z.number().nullable(),
    interaction: z.number().nullable(),
    strict: z.boolean(),
  }),
});
export type JudgeReport = z.infer<typeof JudgeReport>;
