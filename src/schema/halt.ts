import { z } from 'zod';
import { Role } from './lease.ts';

/**
 * Why a role's model is not asked any more. A person has to mend `key_refused` (401, 403), `credit_gone` (402, a used-up
 * quota), `model_unknown` (404), `setting_refused` (a pinned parameter that the provider does not take),
 * `served_model_changed` and `price_unknown` (while money is capped); `rate_limited`, `unreachable` and `failing` (5xx, time-outs) may pass by themselves.
 */
export const HaltKind = z.enum([
  'key_refused',
  'credit_gone',
  'model_unknown',
  'setting_refused',
  'served_model_changed',
  'price_unknown',
  'rate_limited',
  'unreachable',
  'failing',
]);
export type HaltKind = z.infer<typeof HaltKind>;

/** A role that sends nothing. Times in epoch ms. */
export const Halt = z.object({
  role: Role,
  kind: HaltKind,
  /** The provider's own words where there are any, in one line. */
  reason: z.string(),
  /** Field of the model's settings that was refused, for example `sampling.temperature`; null for other kinds. */
  setting: z.string().nullable(),
  since: z.number().int().nonnegative(),
  /** When it ends by itself; null = when a person resumes the experiment. */
  until: z.number().int().nonnegative().nullable(),
});
export type Halt = z.infer<typeof Halt>;
