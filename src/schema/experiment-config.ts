import { z } from 'zod';
import { ArmName } from './ids.ts';
import { Sampling, Wire } from './model-call.ts';

const SamplingSettings = Sampling.partial().extend({ maxOutputTokens: Sampling.shape.maxOutputTokens.default(4096) });

/** What the harness's model client speaks at the gateway; by default the provider's own wire, `chat` for a simulated model. */
const clientWire = Wire.optional();

/**
 * Address of an endpoint. What is secret has no place in it, for it stands on screens and in records: a key is named by
 * `keyVariable`.
 */
const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'it is no http or https URL' })
  .refine((text) => !/^[^:]*:[\\/]*[^\\/?#]*@/.test(text), {
    error: 'a user or password does not belong in it: the key is read from the variable that keyVariable names',
  })
  .refine((text) => !/[?#]/.test(text), { error: 'paths are added at its end, so neither ? nor # may stand in it' });

const SimulatedModel = z.strictObject({
  provider: z.literal('simulated'),
  clientWire,
  /** A published world, see `src/simulated/worlds/`. */
  world: z.string().regex(/^[a-z][a-z-]*$/),
  /** A published fault profile, see `src/simulated/faults/`; without one every request is answered. */
  faults: z
    .string()
    .regex(/^[a-z][a-z-]*$/)
    .optional(),
  sampling: SamplingSettings.strict().default({ maxOutputTokens: 4096 }),
});

const providerSettings = {
  model: z.string().min(1),
  clientWire,
  /** Name of the environment variable that holds the key; the key itself stands in no file. */
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .nullable()
    .default(null),
  /** Longest silence of the provider, in seconds, before a request attempt counts as lost. */
  timeoutSeconds: z.number().int().min(1).max(3600).default(300),
  /** Ask for replies as streams, so that the silence that counts is the one between chunks. */
  stream: z.boolean().default(false),
  /** `exact`: another served model pauses; `prefix`: the pinned name may carry a suffix; `record`: only noted. */
  servedModel: z.enum(['exact', 'prefix', 'record']).default('record'),
};

const OpenAiModel = z.strictObject({
  provider: z.literal('openai'),
  /** The wire spoken to the endpoint: chat completions or Responses. */
  wire: z.enum(['chat', 'responses']).default('chat'),
  baseUrl: BaseUrl.default('https://api.openai.com/v1'),
  ...providerSettings,
  sampling: SamplingSettings.strict().default({ maxOutputTokens: 4096 }),
});

const AnthropicModel = z.strictObject({
  provider: z.literal('anthropic'),
  wire: z.literal('messages').default('messages'),
  /** With or without `/v1` at its end. */
  baseUrl: BaseUrl.default('https://api.anthropic.com'),
  ...providerSettings,
  /** `reasoningEffort` asks for adaptive thinking of that effort, `minimal` as `low`; without it nothing is asked. */
  sampling: SamplingSettings.extend({ temperature: z.number().min(0).max(1).optional() })
    .strict()
    .default({ maxOutputTokens: 4096 }),
});

/** One role's model: who serves it, over which wire, and the sampling that stays pinned for the whole experiment. */
export const ModelSettings = z.discriminatedUnion('provider', [SimulatedModel, OpenAiModel, AnthropicModel]);
export type ModelSettings = z.infer<typeof ModelSettings>;

const AceSettings = z.strictObject({
  /** Curator operations allowed; ADD alone by default. */
  curatorOps: z.array(z.enum(['ADD', 'UPDATE', 'MERGE', 'DELETE'])).default(['ADD']),
  /** Playbook cap in bytes; a delta that would exceed it is refused whole. */
  playbookBytes: z.number().int().min(1024).max(1_048_576).default(65_536),
});

/** An updater, under the name by which budgets, records and screens know it, with its own settings. */
export const Arm = z.discriminatedUnion('updater', [
  z.strictObject({ name: ArmName, updater: z.literal('static') }),
  z.strictObject({
    name: ArmName,
    updater: z.literal('ace'),
    settings: AceSettings.default({ curatorOps: ['ADD'], playbookBytes: 65_536 }),
  }),
]);
export type Arm = z.infer<typeof Arm>;

const TaskSource = z.union([
  /** A pack that ships with anneal, built at start. */
  z.strictObject({ pack: z.literal('office-mini') }),
  /** A folder whose direct children are task directories; ids become `name/<child>`. */
  z.strictObject({ name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/), directory: z.string().min(1) }),
]);
/** Where task directories come from; the splits then choose among them by id. */
export type TaskSource = z.infer<typeof TaskSource>;

/** `experiments/*.yaml`, version 1. Paths are relative to the file. `${VAR}` and `${VAR:-default}` are expanded in every value. */
export const ExperimentConfig = z.strictObject({
  version: z.literal(1),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,47}$/),
  /** Directory of the four files of H0. */
  harness: z.string().min(1),
  tasks: z.array(TaskSource).min(1),
  splits: z.string().min(1),
  budgets: z.string().min(1),
  /** A file of prices that come before those of `budgets/prices.yaml`. Not part of the identity. */
  prices: z.string().min(1).optional(),
  /** Below 2^31. */
  seed: z.number().int().min(0).max(2_147_483_647),
  arms: z.array(Arm).min(1).max(16),
  models: z.strictObject({
    solver: ModelSettings,
    updater: ModelSettings,
    /** Asked by visual scoring alone: a pack without such tasks never calls it. Registered and pinned all the same. */
    judge: ModelSettings.nullable().default(null),
  }),
  reporting: z
    .strictObject({
      /** The champion that claims are made with, fixed before the first model call. */
      rule: z.enum(['gated', 'best-evolved']).default('gated'),
      /** Step, in points, to which a disclosed selection number is rounded. */
      disclosurePoints: z.number().positive().max(100).default(0.1),
      coverageFloor: z
        .strictObject({
          selection: z.number().min(0).max(1).default(1),
          final: z.number().min(0).max(1).default(0.95),
        })
        .default({ selection: 1, final: 0.95 }),
    })
    .default({ rule: 'gated', disclosurePoints: 0.1, coverageFloor: { selection: 1, final: 0.95 } }),
  /** Attempts in flight. Not part of the identity; may change on resume. */
  lanes: z.number().int().min(1).max(512).default(2),
  /** Not part of the identity. */
  sandbox: z
    .strictObject({
      driver: z.literal('bubblewrap').default('bubblewrap'),
      /** `auto` takes the strongest available. */
      level: z.enum(['auto', 'full', 'user']).default('auto'),
    })
    .default({ driver: 'bubblewrap', level: 'auto' }),
});
export type ExperimentConfig = z.infer<typeof ExperimentConfig>;
