import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/create-activities.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import { ExperimentStore } from '../../src/adapters/experiment-store.ts';
import { HarnessRepository } from '../../src/adapters/harness-repository.ts';
import type { Activities, AttemptRequest, ExperimentPlan, Revision } from '../../src/contract/activities.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import { ArmName, TaskId } from '../../src/schema/ids.ts';
import { ExperimentRecord, type AttemptRecord } from '../../src/schema/record.ts';
import { createDataHome } from '../../src/services/data-home/data-home.ts';
import { experimentDirectory } from '../../src/services/data-home/experiment-directory.ts';
import { readRecords } from '../../src/services/data-home/read-records.ts';
import { freezeExperiment } from '../../src/services/freeze/freeze-experiment.ts';
import { storeExperiment } from '../../src/services/freeze/store-experiment.ts';
import { frozenPrograms } from './frozen-programs.ts';
import { type ExperimentFiles, type ExperimentFolder, layOut, validExperiment } from './experiment-files.ts';
import { type GatewayFixture, startGateway } from './gateway-fixture.ts';
import { MemorySandbox } from './memory-sandbox.ts';
import { installQuietRuntime } from './quiet-runtime.ts';

installQuietRuntime();

type Inputs = { readonly [Name in keyof Activities]: Parameters<Activities[Name]>[0] };

/** All activities over a real gateway with its ledger, a real repository, blobs and records, and sandboxes in memory. */
export class ActivityFixture {
  readonly folder: ExperimentFolder;
  readonly gateway: GatewayFixture;
  readonly lock: ExperimentLock;
  readonly sandbox = new MemorySandbox();
  readonly reports: { readonly records: number }[] = [];
  plan!: ExperimentPlan;
  private activities: Activities;
  private now = 1_800_000_000_000;

  private constructor(folder: ExperimentFolder, gateway: GatewayFixture, lock: ExperimentLock) {
    this.folder = folder;
    this.gateway = gateway;
    this.lock = lock;
    this.activities = createActivities(this.dependencies());
  }

  /** An experiment that was frozen, stored and prepared. */
  static async create(files: ExperimentFiles = validExperiment): Promise<ActivityFixture> {
    const fixture = await ActivityFixture.unprepared(files);
    fixture.plan = await fixture.run('prepareExperiment', { experimentId: fixture.lock.id });
    return fixture;
  }

  /** An experiment that the gateway does not know yet; it has no plan. */
  static async unprepared(files: ExperimentFiles = validExperiment): Promise<ActivityFixture> {
    const folder = layOut(files);
    createDataHome(folder.home);
    const frozen = await freezeExperiment(folder.file, folder.home, {}, () => {});
    const { lock } = await storeExperiment(folder.home, frozen, async () => false, false);
    return new ActivityFixture(folder, await startGateway(), lock);
  }

  async remove(): Promise<void> {
    await this.gateway.close();
    this.folder.remove();
  }

  dependencies(changes: Partial<ActivityDependencies> = {}): ActivityDependencies {
    const { home } = this.folder;
    return {
      gateway: this.gateway.control,
      blobs: new BlobStore(home.blobs),
      repository: new HarnessRepository(home.harnessRepository),
      experiments: new ExperimentStore(home.experiments, home.attempts, async (_, records) => {
        this.reports.push({ records: records.length });
      }),
      sandbox: this.sandbox,
      jails: { solver: '/opt/s', runner: '/opt/r', runnerCode: '/opt/c', judges: '/opt/j' },
      programDigests: frozenPrograms(this.lock),
      promptTemplates: {},
      deriveFunctions: {},
      callLease: async () => {
        throw new Error('no model call in this test');
      },
      clock: () => (this.now += 1),
      ...changes,
    };
  }

  /** Another worker process: nothing in memory, other dependencies where given. */
  restart(changes: Partial<ActivityDependencies> = {}): void {
    this.activities = createActivities(this.dependencies(changes));
  }

  /** All of them, for a worker. */
  all(): Activities {
    return this.activities;
  }

  /** Run one activity to its end, in an environment of its own. */
  run<Name extends keyof Activities>(
    name: Name,
    input: Inputs[Name],
    environment: MockActivityEnvironment = new MockActivityEnvironment(),
  ): Promise<Awaited<ReturnType<Activities[Name]>>> {
    const activity = this.activities[name] as (input: Inputs[Name]) => Promise<Awaited<ReturnType<Activities[Name]>>>;
    return environment.run(activity, input);
  }

  /** A request for one attempt of H0, or of another revision. */
  attempt(task: string, changes: Partial<AttemptRequest> = {}): AttemptRequest {
    return {
      experimentId: this.lock.id,
      arm: ArmName.parse('ace'),
      phase: 'search',
      revision: this.plan.h0,
      taskId: TaskId.parse(task),
      replicate: 0,
      ...changes,
    };
  }

  /** A candidate with a playbook of its own. */
  async candidate(playbook: string, number = 1, arm = 'ace'): Promise<Revision> {
    const blob = await new BlobStore(this.folder.home.blobs).put(playbook);
    const commit = await this.run('commitCandidate', {
      experimentId: this.lock.id,
      arm: ArmName.parse(arm),
      candidate: number,
      candidateCap: 3,
      parent: this.plan.h0,
      files: { 'playbook.md': blob },
      earlier: [this.plan.h0],
    });
    if (commit.kind !== 'committed') throw new Error(JSON.stringify(commit));
    return commit.revision;
  }

  /** The records as the ledger holds them. */
  async records(): Promise<ExperimentRecord[]> {
    const { records } = await this.gateway.control.listRecords({ experimentId: this.lock.id });
    return records.map(({ body }) => ExperimentRecord.parse(body));
  }

  async attempts(): Promise<AttemptRecord[]> {
    return (await this.records()).filter((record) => record.kind === 'attempt');
  }

  /** The records as their files hold them. */
  projected(): ExperimentRecord[] {
    return readRecords(experimentDirectory(this.folder.home, this.lock.id));
  }
}
