import { z } from 'zod';
import { FaultProfileName } from './fault-profile.ts';
import { Sampling, Wire } from './model-call.ts';
import { WorldName } from './world.ts';

/**
 * What answers one role of one experiment. The gateway pins `model` and `sampling` into every request; the key is
 * read from the gateway's own environment under the name `keyVariable` and stands nowhere else.
 */
export const ModelBinding = z
  .object({
    provider: z.enum(['openai', 'anthropic', 'simulated']),
    /** Spoken to the provider; what the client speaks at the front is the client's to choose. */
    wire: Wire,
    /** Root of the API, `/v1` included (it may be left out of an Anthropic one); null for simulated models. */
    baseUrl: z.url().nullable(),
    model: z.string().min(1),
    sampling: Sampling,
    keyVariable: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/)
      .nullable(),
    /** Longest silence of the provider before a request attempt counts as lost; a stream restarts it with each chunk. */
    timeoutMs: z.number().int().positive(),
    /** Ask the provider for a stream even where the client does not: silence is then noticed between chunks. */
    stream: z.boolean().optional(),
    /** `exact`: another served model halts the role; `prefix`: the pinned name may carry a suffix; `record`: only noted. */
    servedModel: z.enum(['exact', 'prefix', 'record']),
    /** Name of the request field that caps the output; by default what the endpoint's host is known to take. */
    outputCapField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
    world: WorldName.optional(),
    /** Fault profile of a simulated model. */
    faults: FaultProfileName.optional(),
    /** Sealed file of the simulated solver's policies; never read for other roles. */
    policies: z.string().optional(),
  })
  .refine((binding) => binding.provider === 'simulated' || binding.baseUrl !== null, {
    path: ['baseUrl'],
    error: 'a model of a provider needs a base URL',
  })
  .refine((binding) => (binding.provider === 'anthropic') === (binding.wire === 'messages'), {
    path: ['wire'],
    error: 'the wire `messages` belongs to the provider anthropic, `chat` and `responses` to openai',
  })
  .refine((binding) => binding.provider !== 'simulated' || binding.world !== undefined, {
    path: ['world'],
    error: 'a simulated model needs a world',
  });
export type ModelBinding = z.infer<typeof ModelBinding>;
