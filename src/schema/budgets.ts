import { z } from 'zod';

/** `budgets/*.yaml`, version 1. Every figure is a hard limit that holds across resumes. */
export const Budgets = z
  .strictObject({
    version: z.literal(1),
    name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
    attempt: z.strictObject({
      /** Model calls of one attempt, request retries included. */
      calls: z.number().int().min(1).max(10_000),
      /** Input plus output tokens of one attempt, as charged. */
      tokens: z.number().int().min(1_000).max(1_000_000_000),
      /** Bounds on the wall time that a task.toml may ask for, in seconds. */
      wallSeconds: z.strictObject({ min: z.number().int().min(5), max: z.number().int().max(86_400) }),
      /** New sandbox lives granted after infrastructure failures. */
      infrastructureRetries: z.number().int().min(0).max(10).default(2),
    }),
    arm: z.strictObject({
      /** Tokens of all analysis roles of one arm, retries and resumes included. */
      updaterTokens: z.number().int().min(0),
      candidates: z.number().int().min(0).max(100),
      /** Disclosures of one selection number each; H0 uses the first. */
      selectionQueries: z.number().int().min(1).max(101),
      /** Search hours of one arm, outages included. */
      searchHours: z.number().positive().max(720),
    }),
    /** Caps over all arms and phases together. A part is held back for the final test before any search starts. */
    experiment: z
      .strictObject({
        /** Charged tokens of the solver. */
        solverTokens: z.number().int().min(1_000).max(1_000_000_000_000).optional(),
        /** US dollars of all roles. Needs a known price of every model. */
        moneyUsd: z.number().min(0.000_001).max(1_000_000).optional(),
      })
      .optional(),
  })
  .refine((budgets) => budgets.attempt.wallSeconds.min <= budgets.attempt.wallSeconds.max, {
    path: ['attempt', 'wallSeconds', 'min'],
    error: 'min must not exceed max',
  });
export type Budgets = z.infer<typeof Budgets>;

/** The cap on money in millionths of a dollar, null where there is none. */
export function microUsdCap({ experiment }: Budgets): number | null {
  return experiment?.moneyUsd === undefined ? null : Math.round(experiment.moneyUsd * 1e6);
}
