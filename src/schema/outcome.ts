import { z } from 'zod';
import { Reward } from './units.ts';

/** What broke the harness or stopped it; the work it left is judged all the same. */
export const AgentErrorCause = z.enum([
  'crash',
  'call_limit',
  'token_limit',
  'wall_limit',
  'out_of_memory',
  'output_limit',
  'context_overflow',
  'invalid_request',
  'refusal',
  'no_submission',
]);
export type AgentErrorCause = z.infer<typeof AgentErrorCause>;

/** Where an infrastructure failure was seen; `judge` is cured by rejudging, never by solving again. */
export const InfrastructurePhase = z.enum(['gateway', 'provider', 'keeper', 'host', 'judge']);
export type InfrastructurePhase = z.infer<typeof InfrastructurePhase>;

/** Run class, fixed before any judging. */
export const RunClass = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ended') }),
  z.object({
    kind: z.literal('agent_error'),
    cause: AgentErrorCause,
    /** At most 200 printable bytes; never travels from selection or final to an updater. */
    signature: z.string().max(200),
  }),
  z.object({ kind: z.literal('infrastructure'), phase: InfrastructurePhase, reason: z.string() }),
  z.object({ kind: z.literal('cancelled'), by: z.string() }),
]);
export type RunClass = z.infer<typeof RunClass>;

/** Final class of one attempt: run class joined with its judgement. */
export const Outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scored'), reward: Reward }),
  z.object({
    kind: z.literal('scored_with_agent_error'),
    reward: Reward,
    cause: AgentErrorCause,
    signature: z.string().max(200),
  }),
  z.object({ kind: z.literal('unscored_infra'), phase: InfrastructurePhase, reason: z.string() }),
  z.object({ kind: z.literal('cancelled'), by: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;
