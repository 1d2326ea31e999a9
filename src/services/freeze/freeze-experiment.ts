import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { byteDigest } from '../../adapters/byte-digest.ts';
import { harnessDigest, readHarnessDirectory } from '../../adapters/harness-files.ts';
import type { TaskDirectory } from '../../adapters/task-directory.ts';
import { treeDigest } from '../../adapters/tree-digest.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { codeUnitOrder } from '../../domain/code-unit-order.ts';
import { Budgets } from '../../schema/budgets.ts';
import { ExperimentConfig } from '../../schema/experiment-config.ts';
import type { ExperimentLock, Identity, LockedTask } from '../../schema/experiment-lock.ts';
import type { HarnessFiles } from '../../schema/harness.ts';
import type { ExperimentId } from '../../schema/ids.ts';
import { Splits } from '../../schema/splits.ts';
import type { Milliseconds } from '../../schema/units.ts';
import { checkConfig } from './check-config.ts';
import { checkSplits, splitEntries, type SplitEntry } from './check-splits.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { engineVersion } from '../engine-version.ts';
import { ensurePythonEnvironments } from '../python/python-environments.ts';
import { programDigests } from './program-digests.ts';
import { readYaml, type YamlSource } from './read-yaml.ts';
import { resolvePrices } from './resolve-prices.ts';
import { inputDigests, resolveTasks } from './resolve-tasks.ts';
import { ensureOfficeMini } from '../task-packs/task-pack.ts';
import { worldDocument } from './world-document.ts';

/** A frozen config that is not yet stored, and the task directories behind it. */
export interface FrozenExperiment {
  readonly lock: ExperimentLock;
  /** The experiment file as written, variables unexpanded. */
  readonly configText: string;
  readonly tasks: ReadonlyMap<string, TaskDirectory>;
  readonly harness: HarnessFiles;
}

/**
 * Read an experiment file with everything it names and freeze it. Nothing is started and no token spent; the only
 * effects are the solver environment and the built pack in the data home, when a built-in pack is used.
 * @throws AnnealError 10xx, 11xx, 12xx for whatever does not hold, with file:line:col.
 */
export async function freezeExperiment(
  file: string,
  home: DataHome,
  environment: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<FrozenExperiment> {
  const path = resolve(file);
  const config = readYaml(path, ExperimentConfig, environment);
  checkConfig(config);
  const beside = (name: string): string => resolve(dirname(path), name);
  const budgetsSource = readYaml(beside(config.value.budgets), Budgets, environment, config.position(['budgets']));
  const budgets = budgetsSource.value;
  const { prices: priceFile } = config.value;
  const prices = resolvePrices(config, budgetsSource, priceFile === undefined ? null : beside(priceFile), environment);
  const splits = readYaml(beside(config.value.splits), Splits, environment, config.position(['splits']));
  const entries = splitEntries(splits);
  const harness = readHarnessDirectory(beside(config.value.harness), config.position(['harness']));
  const tasks = resolveTasks(config, entries, await buildPacks(config, home, report));
  checkSplits(entries, tasks, new Map([...tasks].map(([id, task]) => [id, inputDigests(task)])));
  const { models, arms, name, seed, reporting } = config.value;
  const identity: Identity = {
    version: 1,
    name,
    seed,
    harness: harnessDigest(harness),
    tasks: entries.map((entry) => lockTask(entry, tasks, budgets)).toSorted((a, b) => codeUnitOrder(a.id, b.id)),
    arms,
    models,
    world: null,
    budgets,
    judges: programDigests.judges(),
    runner: programDigests.runner(),
    environments: programDigests.environments(),
    reporting,
  };
  const { solver } = models;
  const withWorld = {
    ...identity,
    world:
      solver.provider === 'simulated'
        ? byteDigest(worldDocument(solver, (key) => config.position(['models', 'solver', key])))
        : null,
  };
  return { lock: lockOf(withWorld, config, tasks, prices), configText: readFileSync(path, 'utf8'), tasks, harness };
}

async function buildPacks(
  config: YamlSource<ExperimentConfig>,
  home: DataHome,
  report: (line: string) => void,
): Promise<Record<string, string>> {
  if (!config.value.tasks.some((source) => 'pack' in source)) return {};
  await ensurePythonEnvironments(home, ['solver'], report);
  return { 'office-mini': await ensureOfficeMini(home) };
}

function lockTask(entry: SplitEntry, tasks: ReadonlyMap<string, TaskDirectory>, budgets: Budgets): LockedTask {
  const task = tasks.get(entry.task);
  if (task === undefined) throw new Error(`task ${entry.task} was not resolved`);
  const { min, max } = budgets.attempt.wallSeconds;
  return {
    id: entry.task,
    digest: treeDigest(task.path),
    split: entry.split,
    modality: task.toml.metadata.modality,
    leakageGroup: task.toml.metadata.leakage_group,
    wallMs: (Math.min(max, Math.max(min, task.toml.agent.timeout_sec)) * 1000) as Milliseconds,
    judgeWallMs: (task.toml.verifier.timeout_sec * 1000) as Milliseconds,
    deliverables: task.toml.metadata.deliverables,
  };
}

function lockOf(
  identity: Identity,
  config: YamlSource<ExperimentConfig>,
  tasks: ReadonlyMap<string, TaskDirectory>,
  prices: NonNullable<ExperimentLock['operational']['prices']>,
): ExperimentLock {
  const digest = byteDigest(canonicalJson(identity));
  return {
    version: 1,
    id: `exp_${digest.slice(0, 8)}` as ExperimentId,
    digest,
    createdAt: new Date().toISOString(),
    engine: engineVersion(),
    identity,
    operational: {
      configPath: config.file,
      lanes: config.value.lanes,
      sandbox: config.value.sandbox,
      taskDirectories: Object.fromEntries([...tasks].map(([id, task]) => [id, task.path])),
      policies: null,
      prices,
      policiesFromEvaluationKeys:
        identity.models.solver.provider === 'simulated' &&
        [...tasks.values()].some(({ toml }) => toml.metadata.simulated_policy !== undefined),
    },
  };
}
