import { z } from 'zod';
import { ExperimentId, Sha256 } from './ids.ts';

const Count = z.number().int().nonnegative();

/** `audit.json` of an experiment, version 1: how its last audit came out, and of which records. */
export const LastAudit = z.object({
  version: z.literal(1),
  experiment: ExperimentId,
  at: z.iso.datetime(),
  engine: z.string(),
  checks: Count,
  failed: Count,
  records: z.object({ count: Count, digest: Sha256 }),
});
export type LastAudit = z.infer<typeof LastAudit>;
