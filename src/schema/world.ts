import { z } from 'zod';
import { Modality } from './splits.ts';

/** The worlds that the simulated model may come in; each is one file of `src/simulated/worlds/`. */
export const WorldName = z.enum(['null', 'help', 'harm', 'transfer', 'no-transfer', 'crash', 'budget-tax']);
export type WorldName = z.infer<typeof WorldName>;

/** How the simulated solver does a task: by the task's reference script, or by one with its typical failure. */
export const Behaviour = z.enum(['careful', 'careless']);
export type Behaviour = z.infer<typeof Behaviour>;

/** Sign of a true effect, candidate minus H0. */
const Sign = z.enum(['+', '0', '-']);

const Share = z.number().min(0).max(1);

const WorldEffect = z.strictObject({
  /** Holds when one bullet of the playbook contains one of the phrases, whatever the letter case and spacing. */
  when: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('bullet'), phrases: z.array(z.string().min(12)).min(1) }),
  ]),
  /** Tasks that it decides; all others stay as they are. */
  on: z.array(Modality).min(1),
  behaviour: Behaviour,
});

/** The sentence that goes with everything a simulated model produced. */
export const SIMULATED_LABEL = 'tests the engine, says nothing about any method';

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
  }),
  /** Where two effects decide the same task, the later one holds. */
  effects: z.array(WorldEffect),
  /** What an experiment whose updater learns from feedback has to find. */
  expectedSigns: z.strictObject({ selection: Sign, inDomain: Sign, crossOffice: Sign }),
});
export type World = z.infer<typeof World>;
