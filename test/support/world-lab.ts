import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Worker } from '@temporalio/worker';
import pLimit from 'p-limit';
import { createActivities } from '../../activities/create-activities.ts';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import { ExperimentStore } from '../../src/adapters/experiment-store.ts';
import { callThroughLease } from '../../src/adapters/lease-client.ts';
import type { Activities } from '../../src/contract/activities.ts';
import { buildReport } from '../../src/report/numbers/build-report.ts';
import { writeReportFiles } from '../../src/report/documents/write-report-files.ts';
import type { CallRow } from '../../src/schema/call-row.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import type { HarnessFiles } from '../../src/schema/harness.ts';
import type { CommitHash, ExperimentId } from '../../src/schema/ids.ts';
import { ExperimentRecord } from '../../src/schema/record.ts';
import type { Report } from '../../src/schema/report.ts';
import { type DataHome, createDataHome, dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { freezeExperiment } from '../../src/services/freeze/freeze-experiment.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { storeExperiment } from '../../src/services/freeze/store-experiment.ts';
import { deriveFunctions } from '../../src/updaters/derive-functions.ts';
import { promptTemplates } from '../../src/updaters/prompts/prompt-templates.ts';
import { programDigests } from '../../src/services/freeze/program-digests.ts';
import { workflowIds } from '../../workflows/workflow-ids.ts';
import { type GatewayFixture, startGateway } from './gateway-fixture.ts';
import { memoryFolder } from './memory-folder.ts';
import { MemoryRepository } from './memory-repository.ts';
import { PlayedSandbox } from './played-sandbox.ts';
import { type TemporalServer, createTestWorker, freshTaskQueue, startTemporalServer } from './temporal-server.ts';

/** What one finished experiment left. */
export interface LabResult {
  readonly lock: ExperimentLock;
  readonly report: Report;
  readonly records: readonly ExperimentRecord[];
}

/** Nothing changes them while these tests run: worked out once. */
const [judges, runner, environments] = [
  programDigests.judges(),
  programDigests.runner(),
  programDigests.environments(),
];
const lanes = 4;
const experimentsAtOnce = 3;

/**
 * Whole experiments in seconds: the real workflows, activities, updater, prompts, gateway, ledger, records and report
 * around played sandboxes and commits in memory. One data home and one worker for all of them.
 */
export class WorldLab {
  readonly home: DataHome;
  readonly blobs: BlobStore;
  private readonly root: string;
  private readonly gateway: GatewayFixture;
  private readonly server: TemporalServer;
  private readonly sandbox: PlayedSandbox;
  private readonly experiments: ExperimentStore;
  private readonly repository = new MemoryRepository();
  private readonly taskQueue = freshTaskQueue();
  private worker: { readonly worker: Worker; readonly ended: Promise<void> } | null = null;
  private readonly limit = pLimit(experimentsAtOnce);
  private files = 0;

  private constructor(root: string, gateway: GatewayFixture, server: TemporalServer) {
    this.root = root;
    this.gateway = gateway;
    this.server = server;
    const home = join(root, 'home');
    mkdirSync(home);
    mkdirSync(join(packageRoot, '.anneal-test', 'packs'), { recursive: true });
    for (const shared of ['python', 'packs'])
      symlinkSync(join(packageRoot, '.anneal-test', shared), join(home, shared));
    this.home = dataHomeAt(home);
    createDataHome(this.home);
    this.blobs = new BlobStore(this.home.blobs);
    this.experiments = new ExperimentStore(this.home.experiments, this.home.attempts, writeReportFiles);
    this.sandbox = new PlayedSandbox(join(root, 'played'));
  }

  /** `change` may put effects of the test's own in the place of real ones. */
  static async open(change: (activities: Activities, lab: WorldLab) => Activities = (same) => same): Promise<WorldLab> {
    const root = realpathSync(mkdtempSync(join(memoryFolder(), 'anneal-lab-')));
    const directory = mkdtempSync(join(memoryFolder(), 'gw-'));
    const lab = new WorldLab(root, await startGateway({ directory }), await startTemporalServer());
    const worker = await createTestWorker(lab.server.environment, lab.taskQueue, change(lab.activities(), lab));
    lab.worker = { worker, ended: worker.run() };
    return lab;
  }

  async close(): Promise<void> {
    this.worker?.worker.shutdown();
    await this.worker?.ended;
    await this.server.stop();
    await this.gateway.close();
    rmSync(this.home.staging, { recursive: true, force: true });
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Write files into a folder of their own; returns the folder. */
  lay(files: Readonly<Record<string, string | Uint8Array>>): string {
    this.files += 1;
    const folder = join(this.root, `files-${this.files}`);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return folder;
  }

  /** Freeze an experiment and run it to its end; a few at a time. */
  run(experiment: string): Promise<LabResult> {
    return this.limit(() => this.runNow(experiment));
  }

  private async runNow(experiment: string): Promise<LabResult> {
    const file = join(this.lay({ 'experiment.yaml': experiment }), 'experiment.yaml');
    const frozen = await freezeExperiment(file, this.home, {}, () => {});
    const { lock } = await storeExperiment(this.home, frozen, async () => false, false);
    await this.server.environment.client.workflow.execute('experiment', {
      workflowId: workflowIds.experiment(lock.id),
      taskQueue: this.taskQueue,
      args: [{ experimentId: lock.id, lanes }],
    });
    const records = await this.records(lock);
    return { lock, records, report: buildReport(lock, records) };
  }

  /** The four files of a commit. */
  harness(commit: CommitHash): Promise<HarnessFiles> {
    return this.repository.files(commit);
  }

  /** An experiment's name. */
  async nameOf(id: ExperimentId): Promise<string> {
    return (await this.experiments.lock(id)).identity.name;
  }

  async calls({ id }: ExperimentLock): Promise<readonly CallRow[]> {
    return (await this.gateway.control.listCalls({ experimentId: id, limit: 10_000 })).calls;
  }

  private async records({ id }: ExperimentLock): Promise<ExperimentRecord[]> {
    const { records } = await this.gateway.control.listRecords({ experimentId: id, limit: 5_000 });
    return records.map(({ body }) => ExperimentRecord.parse(body));
  }

  private activities(): Activities {
    return createActivities({
      gateway: this.gateway.control,
      blobs: this.blobs,
      repository: this.repository,
      experiments: this.experiments,
      sandbox: this.sandbox,
      jails: { solver: '/opt/s', runner: '/opt/r', runnerCode: '/opt/c', judges: '/opt/j' },
      promptTemplates,
      deriveFunctions,
      programDigests: { judges: () => judges, runner: () => runner, environments: () => environments },
      callLease: callThroughLease,
      clock: Date.now,
    });
  }
}
