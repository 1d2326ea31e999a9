import { z } from 'zod';
import { Budgets } from './budgets.ts';
import { Arm, ExperimentConfig, ModelSettings } from './experiment-config.ts';
import { ExperimentId, HarnessDigest, Sha256, TaskId } from './ids.ts';
import { Role } from './lease.ts';
import { ModelPrice } from './prices.ts';
import { Modality, Split } from './splits.ts';
import { Milliseconds } from './units.ts';
import { simulatedLabel } from './world.ts';

/** One task as an experiment fixed it. `digest` covers every file of the task directory. */
export const LockedTask = z.object({
  id: TaskId,
  digest: Sha256,
  split: Split,
  modality: Modality,
  leakageGroup: z.string(),
  /** Wall limit of an attempt: task.toml's agent.timeout_sec within the budget's bounds. */
  wallMs: Milliseconds,
  judgeWallMs: Milliseconds,
  deliverables: z.array(z.string()),
});
export type LockedTask = z.infer<typeof LockedTask>;

/** Whatever decides a number. The experiment's digest is the SHA-256 of this object's canonical JSON. */
export const Identity = z.object({
  version: z.literal(1),
  name: z.string(),
  seed: z.number().int(),
  harness: HarnessDigest,
  tasks: z.array(LockedTask),
  arms: z.array(Arm),
  models: z.object({ solver: ModelSettings, updater: ModelSettings, judge: ModelSettings.nullable() }),
  /** Digest of the documents of a simulated run's world and fault profile, null for real models. */
  world: Sha256.nullable(),
  budgets: Budgets,
  judges: Sha256,
  runner: Sha256,
  /** Digest of the locked Python requirements of solver and runner environments. */
  environments: Sha256,
  reporting: ExperimentConfig.shape.reporting.unwrap(),
});
export type Identity = z.infer<typeof Identity>;

/** A program of anneal's own that decides a number; its digest is frozen under this name. */
export type Program = keyof Pick<Identity, 'judges' | 'runner' | 'environments'>;

/** `lock.json`: the frozen config. `operational` may change between resumes. */
export const ExperimentLock = z.object({
  version: z.literal(1),
  id: ExperimentId,
  digest: Sha256,
  createdAt: z.iso.datetime(),
  engine: z.string(),
  identity: Identity,
  operational: z.object({
    configPath: z.string(),
    lanes: z.number().int().min(1),
    sandbox: ExperimentConfig.shape.sandbox.unwrap(),
    /** Directory of each task, by id. */
    taskDirectories: z.record(z.string(), z.string()),
    /** Sealed file of the simulated solver's policies; null for real models. */
    policies: z.string().nullable(),
    /**
     * Digests of files that its folder keeps and that are no part of its identity, by path below it: `config.yaml` as it was
     * last given, `sealed/policies.json` as it was derived. Absent in experiments of before they were frozen.
     */
    fileDigests: z.record(z.string(), Sha256).optional(),
    /** What each role's model costs; absent in experiments of before there were prices. */
    prices: z.partialRecord(Role, ModelPrice).optional(),
    /** What it cost before a resume took over other prices, oldest first; absent where nothing changed. */
    earlierPrices: z.partialRecord(Role, z.array(ModelPrice)).optional(),
    /** Policies were derived from the tasks' own evaluation keys: screens of such a run say so. */
    policiesFromEvaluationKeys: z.boolean().optional(),
  }),
});
export type ExperimentLock = z.infer<typeof ExperimentLock>;

/** True when any model of the experiment is simulated: every screen and record then says so. */
export function isSimulated(identity: Identity): boolean {
  return [identity.models.solver, identity.models.updater, identity.models.judge].some(
    (model) => model?.provider === 'simulated',
  );
}

/**
 * The world of a simulated experiment, with its fault profile where it has one: `no-transfer`, `null+stalls`. null for real
 * models.
 */
export function worldOf({ models }: Identity): string | null {
  const simulated = [models.solver, models.updater, models.judge].find((model) => model?.provider === 'simulated');
  return simulated?.provider === 'simulated' ? simulatedLabel(simulated.world, simulated.faults) : null;
}
