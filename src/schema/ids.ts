import { z } from 'zod';

const hex64 = /^[0-9a-f]{64}$/;

/** `exp_` + the first 8 hex digits of the frozen config's digest. */
export const ExperimentId = z
  .string()
  .regex(/^exp_[0-9a-f]{8}$/)
  .brand<'ExperimentId'>();
export type ExperimentId = z.infer<typeof ExperimentId>;

/** SHA-256, 64 lower-case hex digits, of any content-addressed bytes. */
export const Sha256 = z.string().regex(hex64).brand<'Sha256'>();
export type Sha256 = z.infer<typeof Sha256>;

/** SHA-256 over the four harness files; equal bytes, equal digest. */
export const HarnessDigest = z.string().regex(hex64).brand<'HarnessDigest'>();
export type HarnessDigest = z.infer<typeof HarnessDigest>;

/** Name of a task as the experiment file writes it, `pack/name`, for example `office-mini/x1`. */
export const TaskId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/)
  .brand<'TaskId'>();
export type TaskId = z.infer<typeof TaskId>;

/** An arm's name inside one experiment, for example `ace`. */
export const ArmName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/)
  .brand<'ArmName'>();
export type ArmName = z.infer<typeof ArmName>;

/** SHA-256 over (experiment digest, revision digest, task digest, replicate): one revision on one task, once. */
export const AttemptKey = z.string().regex(hex64).brand<'AttemptKey'>();
export type AttemptKey = z.infer<typeof AttemptKey>;

/** A git commit hash, 40 lower-case hex digits. */
export const CommitHash = z
  .string()
  .regex(/^[0-9a-f]{40}$/)
  .brand<'CommitHash'>();
export type CommitHash = z.infer<typeof CommitHash>;
