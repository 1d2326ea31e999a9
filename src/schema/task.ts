import { z } from 'zod';
import { Modality } from './splits.ts';
import { WorkPath } from './work-path.ts';

/** Absent means Harbor's default, `public`, which no task here is given: only what a task asks for by name is refused. */
const network = {
  network_mode: z.string().optional(),
  allowed_hosts: z.array(z.string()).optional(),
};

/** What anneal reads of a Harbor `task.toml` (schema 1.0–1.4); other keys are kept by the file and ignored here. */
export const TaskToml = z.object({
  metadata: z.object({
    modality: Modality,
    /** Tasks of one group share a source and never stand in two splits. */
    leakage_group: z.string().min(1),
    /** Relative to the working directory. */
    deliverables: z.array(WorkPath).default([]),
    /** Solving it takes seeing pictures: refused, since none reach a model here. */
    needs_vision: z.boolean().default(false),
    /** Set where the simulated solver's policy is derived from the evaluation itself. */
    simulated_policy: z.string().optional(),
  }),
  agent: z.object({ timeout_sec: z.number().positive().default(600), ...network }).prefault({}),
  verifier: z.object({ timeout_sec: z.number().positive().default(600), ...network }).prefault({}),
  environment: z
    .object({
      gpus: z.number().optional(),
      os: z.string().default('linux'),
      ...network,
      /** Harbor's older spelling. */
      allow_internet: z.boolean().optional(),
      mcp_servers: z.array(z.unknown()).optional(),
      healthcheck: z.unknown().optional(),
    })
    .prefault({}),
  steps: z.array(z.unknown()).optional(),
});
export type TaskToml = z.infer<typeof TaskToml>;
