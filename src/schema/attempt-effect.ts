import { z } from 'zod';
import { Sha256 } from './ids.ts';
import { LeaseUsage } from './lease.ts';
import { RunClass } from './outcome.ts';

/** What one epoch of an attempt left, stored under `run:<key>:<epoch>` before anything is judged. */
export const RunEffect = z.object({
  version: z.literal(1),
  runClass: RunClass,
  /** True when a person stopped the sandbox: the next epoch is not counted as a retry. */
  stopped: z.boolean(),
  usage: LeaseUsage,
  wallMs: z.number().int().nonnegative(),
  sandbox: z.object({ level: z.string(), cgroup: z.string() }),
  phases: z.record(z.string(), z.number()),
  /** CPU time of the keeper and of what ran in its jails, in milliseconds. */
  cpuMs: z.record(z.string(), z.number()).default({}),
  blobs: z.record(z.string(), Sha256),
  /** Files of the working directory at the end, as blobs. */
  outputs: z.array(z.object({ path: z.string(), sha256: Sha256, bytes: z.number().int().nonnegative() })),
});
export type RunEffect = z.infer<typeof RunEffect>;

/** How judging an epoch's outputs ended, stored under `judge:<key>:<epoch>`. */
export const JudgeEffect = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('judged'),
    reward: z.number(),
    /** Blob of `judge.json`; null for outputs that killed the judge twice and score as corrupt. */
    report: Sha256.nullable(),
    /** Digest of the judges that judged. */
    judges: Sha256.nullable().default(null),
    /** Wall time of the judge run and of its phases, in milliseconds. */
    phases: z.record(z.string(), z.number()),
    cpuMs: z.record(z.string(), z.number()).default({}),
  }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);
export type JudgeEffect = z.infer<typeof JudgeEffect>;
