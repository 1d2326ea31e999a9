import { z } from 'zod';
import { SIMULATED_LABEL } from './world.ts';

/** The fault profiles that a simulated model may be given; each is one file of `src/simulated/faults/`. */
export const FaultProfileName = z.enum([
  'rate-limits',
  'stalls',
  'missing-usage',
  'truncated',
  'malformed-calls',
  'list-content',
  'refusals',
  'rough',
]);
export type FaultProfileName = z.infer<typeof FaultProfileName>;

/**
 * What may befall one request attempt. `rate-limit`: refused with 429. `stall`: silence, then a time-out of unknown cost.
 * `missing-usage`: a reply without usage. `truncated`: half a reply, tool call and all. `malformed-call`: a tool call whose
 * arguments are no JSON; a reply without one is spared. `list-content`: the text in several parts. `refusal`: the model
 * declines.
 */
export const Fault = z.enum([
  'rate-limit',
  'stall',
  'missing-usage',
  'truncated',
  'malformed-call',
  'list-content',
  'refusal',
]);
export type Fault = z.infer<typeof Fault>;

const milliseconds = z.number().int().min(1).max(600_000);

/** `src/simulated/faults/<name>.yaml`, version 1: how often which faults befall a simulated model. */
export const FaultProfile = z
  .strictObject({
    version: z.literal(1),
    name: FaultProfileName,
    sentence: z.string().min(1),
    label: z.literal(SIMULATED_LABEL),
    /** Shares of request attempts; which ones is decided by the attempt's seed, the turn and the retry alone. */
    faults: z.array(z.strictObject({ fault: Fault, share: z.number().positive().max(0.5) })).min(1),
    /** What a 429 asks to wait. */
    retryAfterMs: milliseconds.default(50),
    /** How long a stall lasts before it counts as a time-out. */
    stallMs: milliseconds.default(500),
  })
  .refine(({ faults }) => faults.reduce((sum, { share }) => sum + share, 0) <= 0.5, {
    path: ['faults'],
    error: 'at most half of all request attempts may be faulty',
  });
export type FaultProfile = z.infer<typeof FaultProfile>;
