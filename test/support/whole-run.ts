import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { GatewayClient } from '../../src/adapters/gateway-client.ts';
import { runAudit } from '../../src/cli/run-audit.ts';
import type { CallRow } from '../../src/schema/call-row.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../src/schema/record.ts';
import { Report } from '../../src/schema/report.ts';
import { createEngine } from '../../src/services/create-engine.ts';
import { type DataHome, createDataHome, dataHomeAt } from '../../src/services/data-home/data-home.ts';
import type { Engine, LiveState } from '../../src/services/engine.ts';
import { experimentDirectory } from '../../src/services/data-home/experiment-directory.ts';
import { readRecords } from '../../src/services/data-home/read-records.ts';
import { type FrozenExperiment, freezeExperiment } from '../../src/services/freeze/freeze-experiment.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { storeExperiment } from '../../src/services/freeze/store-experiment.ts';
import { memoryFolder } from './memory-folder.ts';

const pollMs = 300;

/** Tasks of each split of a reduced pack. */
export type SplitTasks = Readonly<
  Record<'feedback' | 'selection' | 'final-in-domain' | 'final-cross-office', readonly string[]>
>;

/** One task of each modality to learn from and to select with, three to test on. */
export const reducedSplits: SplitTasks = {
  feedback: ['office-mini/p2', 'office-mini/d2', 'office-mini/x1'],
  selection: ['office-mini/p1', 'office-mini/d1', 'office-mini/x3'],
  'final-in-domain': ['office-mini/p4', 'office-mini/x4'],
  'final-cross-office': ['office-mini/c1'],
};

const simulated = '{ provider: simulated, world: no-transfer }';

/** An experiment file on the built-in pack with everything it names; `model` is the YAML of both models. */
export function packExperiment(
  splits: SplitTasks,
  model = simulated,
  candidates = 3,
): Readonly<Record<string, string>> {
  const lists = Object.entries(splits).map(([split, tasks]) => `${split}: [${tasks.join(', ')}]\n`);
  return {
    'experiment.yaml': `version: 1
name: whole-run
harness: ${join(packageRoot, 'harnesses', 'h0')}
tasks:
  - pack: office-mini
splits: splits.yaml
budgets: budgets.yaml
seed: 7
arms:
  - name: ace
    updater: ace
models:
  solver: ${model}
  updater: ${model}
`,
    'splits.yaml': `version: 1\nname: reduced\n${lists.join('')}`,
    'budgets.yaml': `version: 1
name: reduced
attempt: { calls: 20, tokens: 400000, wallSeconds: { min: 30, max: 120 }, infrastructureRetries: 3 }
arm: { updaterTokens: 2000000, candidates: ${candidates}, selectionQueries: ${candidates + 1}, searchHours: 1 }
`,
  };
}

/** An experiment file that comes with anneal, for example `experiments/demo.yaml`, on the files that it names there. */
export type ShippedExperiment = `experiments/${string}.yaml`;

/** What one finished experiment came to, free of times and of the data home it ran in. */
export interface Findings {
  readonly id: string;
  /** Canonical rewards by phase, task and revision. */
  readonly scores: readonly string[];
  readonly revisions: readonly string[];
  readonly champions: readonly string[];
  readonly queries: readonly string[];
}

/** A data home of its own with real processes, and one experiment in it. */
export class WholeRun {
  readonly home: DataHome;
  readonly root: string;
  readonly engine: Engine;
  lock!: ExperimentLock;
  private readonly environment: NodeJS.ProcessEnv;

  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.root = realpathSync(mkdtempSync(join(memoryFolder(), 'anneal-run-')));
    this.environment = { ...process.env, ...environment };
    for (const name of ['TEMPORAL_ADDRESS', 'ANNEAL_HOME']) delete this.environment[name];
    const home = join(this.root, 'home');
    mkdirSync(home);
    // The environments that the global set-up built; a home of its own would take half a minute each.
    for (const shared of ['python', 'packs'])
      symlinkSync(join(packageRoot, '.anneal-test', shared), join(home, shared));
    this.home = dataHomeAt(home);
    createDataHome(this.home);
    this.engine = createEngine(this.home, this.environment);
  }

  /** Freeze, store, start the services and the experiment. */
  async start(files: Readonly<Record<string, string>> | ShippedExperiment, lanes: number): Promise<void> {
    await this.freeze(files, lanes);
    await this.engine.up(() => {});
    await this.engine.start(this.lock);
  }

  /** Freeze and store: nothing runs yet. */
  async freeze(files: Readonly<Record<string, string>> | ShippedExperiment, lanes: number): Promise<FrozenExperiment> {
    if (typeof files === 'string') return this.store(join(packageRoot, files), lanes);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      writeFileSync(join(this.root, name), text);
    }
    return this.store(join(this.root, 'experiment.yaml'), lanes);
  }

  private async store(file: string, lanes: number): Promise<FrozenExperiment> {
    const frozen = await freezeExperiment(file, this.home, this.environment, () => {});
    frozen.lock.operational.lanes = lanes;
    ({ lock: this.lock } = await storeExperiment(this.home, frozen, async () => false, false));
    return frozen;
  }

  /** Wait for the end of the experiment's workflow; `between` sees the records so far. */
  async end(between: (records: readonly ExperimentRecord[]) => void = () => {}): Promise<LiveState['run']> {
    while (true) {
      const live = await this.engine.live(this.lock).catch(() => null);
      if (live !== null && live.run !== 'running') return live.run;
      between(this.records());
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** As `end`, for an experiment that has to complete. @throws when it ends in any other way. */
  async complete(between: (records: readonly ExperimentRecord[]) => void = () => {}): Promise<void> {
    const ended = await this.end(between);
    if (ended !== 'completed') throw new Error(`the experiment ${ended}`);
  }

  /** Stop what was started and remove the data home. */
  async remove(): Promise<void> {
    await this.engine.down({ now: true }, () => {});
    rmSync(this.root, { recursive: true, force: true });
    rmSync(this.home.staging, { recursive: true, force: true });
  }

  records(): ExperimentRecord[] {
    return readRecords(experimentDirectory(this.home, this.lock.id));
  }

  report(): Report {
    const { reports } = experimentDirectory(this.home, this.lock.id);
    const name = readdirSync(reports).find((file) => file.endsWith('.json'));
    if (name === undefined) throw new Error(`no report in ${reports}`);
    return Report.parse(JSON.parse(readFileSync(join(reports, name), 'utf8')));
  }

  /** What its audit and `scripts/rederive` find wrong, a line each; nothing of a sound closed experiment. */
  async faults(): Promise<readonly string[]> {
    const { checks } = await runAudit(this.home, this.lock);
    const { root } = experimentDirectory(this.home, this.lock.id);
    const script = join(packageRoot, 'scripts', 'rederive');
    const { exitCode, stdout, stderr } = await execa('python3', [script, root], { reject: false });
    return [
      ...checks.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
      ...(exitCode === 0 ? [] : [`rederive: ${stdout}${stderr}`]),
    ];
  }

  /** Every request attempt of the ledger, from the running gateway. */
  async calls(): Promise<CallRow[]> {
    const gateway = new GatewayClient(this.home.controlSocket);
    try {
      return (await gateway.listCalls({ experimentId: this.lock.id, limit: 10_000 })).calls;
    } finally {
      await gateway.disconnect();
    }
  }

  findings(): Findings {
    const records = this.records();
    const canonical = new Map<string, string>();
    for (const record of records) {
      if (record.kind !== 'attempt' || record.outcome.kind === 'unscored_infra') continue;
      const { phase, task, revision, outcome } = record;
      const line = `${phase} ${task} ${revision.slice(0, 12)} ${JSON.stringify(outcome)}`;
      if (canonical.has(record.key)) throw new Error(`two outcomes of one attempt: ${line}`);
      canonical.set(record.key, line);
    }
    const of = <Kind extends ExperimentRecord['kind']>(kind: Kind) =>
      records.filter((record): record is Extract<ExperimentRecord, { kind: Kind }> => record.kind === kind);
    return {
      id: this.lock.id,
      scores: [...canonical.values()].toSorted(),
      revisions: of('revision')
        .map(({ arm, candidate, revision, commit }) => `${arm} ${candidate} ${revision} ${commit}`)
        .toSorted(),
      champions: of('champion')
        .map(({ arm, label, revision, tag }) => `${arm} ${label} ${revision} ${tag}`)
        .toSorted(),
      queries: of('query')
        .map(
          ({ arm, candidate, query, state, exact, disclosed }) =>
            `${arm} ${candidate} ${query} ${state} ${exact} ${disclosed}`,
        )
        .toSorted(),
    };
  }
}
