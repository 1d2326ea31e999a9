import { z } from 'zod';
import { Modality } from './splits.ts';

/** The worlds that the simulated model may come in; each is one file of `src/simulated/worlds/`. */
export const WorldName = z.enum(['null', 'help', 'harm', 'transfer', 'no-transfer', 'crash', 'budget-tax']);
export type WorldName = z.infer<typeof WorldName>;

/**
 * How the simulated solver does a task: `careful` by the task's reference script, `careless` by one with its typical
 * failure, `idle` by handing in the inputs as they are, `breaks-off` by calling no tool any more after its first look,
 * which ends the run as an agent error with nothing delivered.
 */
export const Behaviour = z.enum(['careful', 'careless', 'idle', 'breaks-off']);
export type Behaviour = z.infer<typeof Behaviour>;

/** Sign of a true effect, candidate minus H0. */
export const Sign = z.enum(['+', '0', '-']);
export type Sign = z.infer<typeof Sign>;

const Share = z.number().min(0).max(1);

const Signs = z.strictObject({ selection: Sign, inDomain: Sign, crossOffice: Sign });
/** Signs of an effect on selection and on each final split. */
export type Signs = z.infer<typeof Signs>;

const Phrases = z.array(z.string().min(12)).min(1);

/** Turns spent on restating rules before the work begins; each goes into every later request of the attempt. */
const Deliberation = z.strictObject({
  /** Turns for each rule that holds one of the effect's phrases. */
  turnsPerRule: z.number().int().min(1).max(20),
  /** Text of such a turn. */
  charactersPerTurn: z.number().int().min(100).max(12_000),
});
/** Cost of a rule that is restated before the work begins. */
export type Deliberation = z.infer<typeof Deliberation>;

const WorldEffect = z
  .strictObject({
    when: z.discriminatedUnion('kind', [
      /** Holds when one bullet of the playbook contains one of the phrases, whatever the letter case and spacing. */
      z.strictObject({ kind: z.literal('bullet'), phrases: Phrases }),
      /** Holds when at least so many of the groups have a bullet in the playbook. */
      z.strictObject({
        kind: z.literal('bullets'),
        groups: z.array(Phrases).min(2),
        atLeast: z.number().int().min(2),
      }),
    ]),
    /** Tasks that it decides; all others stay as they are. */
    on: z.array(Modality).min(1),
    behaviour: Behaviour.optional(),
    deliberation: Deliberation.optional(),
  })
  .refine(({ behaviour, deliberation }) => behaviour !== undefined || deliberation !== undefined, {
    error: 'an effect needs a behaviour or a deliberation',
  });

/** The sentence that goes with everything a simulated model produced. */
export const SIMULATED_LABEL = 'tests the engine, says nothing about any method';

/** World and fault profile as they stand in records, screens, trailers and file names: `no-transfer`, `null+stalls`. */
export function simulatedLabel(world: string, faults: string | undefined): string {
  return faults === undefined ? world : `${world}+${faults}`;
}

/** The name under which a simulated model is served. */
export function simulatedModelName(world: string, faults: string | undefined): string {
  return `simulated/${simulatedLabel(world, faults)}`;
}

/** `src/simulated/worlds/<name>.yaml`, version 1: the published truth about one simulated model. */
export const World = z.strictObject({
  version: z.literal(1),
  name: WorldName,
  /** What is true in this world, in one sentence. */
  sentence: z.string().min(1),
  label: z.literal(SIMULATED_LABEL),
  base: z.strictObject({
    /**
     * Share of tasks that the bare harness does carelessly, by where their policies come from. Which ones is decided by
     * the instruction's digest alone: a task is careless when the digest, read as a fraction of 1, lies below the share.
     */
    carelessShare: z.strictObject({ pack: Share, imported: Share }),
    /**
     * Share of attempts of careless tasks that come out careful by luck, decided by the attempt's seed: the same for H0
     * and for every candidate on the same task. Default 0.
     */
    luckyShare: Share.optional(),
  }),
  /** Where the behaviours of two effects decide the same task, the later one holds. */
  effects: z.array(WorldEffect),
  /** What the best evolved revision of an experiment whose updater learns from feedback has to show against H0. */
  expectedSigns: Signs,
  /** How its agent errors compare with those of H0; absent where neither has any. */
  expectedAgentErrors: Signs.optional(),
});
export type World = z.infer<typeof World>;
