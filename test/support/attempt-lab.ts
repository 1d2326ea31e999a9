import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { attemptKey } from '../../src/domain/attempt-key.ts';
import { createActivities } from '../../activities/create-activities.ts';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import { BubblewrapSandbox } from '../../src/adapters/bubblewrap.ts';
import { ExperimentStore } from '../../src/adapters/experiment-store.ts';
import type { Activities, AttemptRequest, Revision } from '../../src/contract/activities.ts';
import type { GatewayPort } from '../../src/contract/gateway-port.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import type { HarnessFiles } from '../../src/schema/harness.ts';
import { ArmName, TaskId } from '../../src/schema/ids.ts';
import { AttemptRecord } from '../../src/schema/record.ts';
import { createDataHome } from '../../src/services/data-home/data-home.ts';
import { freezeExperiment } from '../../src/services/freeze/freeze-experiment.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { storeExperiment } from '../../src/services/freeze/store-experiment.ts';
import { frozenPrograms } from './frozen-programs.ts';
import { type ExperimentFiles, type ExperimentFolder, layOut } from './experiment-files.ts';
import { type GatewayFixture, startGateway } from './gateway-fixture.ts';
import { JailFixture } from './jail-fixture.ts';
import type { JailLevel } from './jail-level.ts';
import { MemoryRepository } from './memory-repository.ts';
import { reachableEnvironment } from './reachable-environment.ts';

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });

/** The four files of a harness, or those that differ from H0's. */
export type HarnessEdit = Partial<Record<keyof HarnessFiles, string | Uint8Array>>;

/**
 * Whole attempts at one level: the real activities over a real gateway and ledger, the trusted runner with the real
 * packages in real jails, the task's tests in a judge jail. Temporal and git are left out.
 */
export class AttemptLab {
  readonly folder: ExperimentFolder;
  readonly gateway: GatewayFixture;
  readonly lock: ExperimentLock;
  private readonly jails: JailFixture;
  private readonly dependencies: ActivityDependencies;
  private readonly activities: Activities;

  private constructor(parts: {
    folder: ExperimentFolder;
    gateway: GatewayFixture;
    lock: ExperimentLock;
    jails: JailFixture;
    dependencies: ActivityDependencies;
  }) {
    this.folder = parts.folder;
    this.gateway = parts.gateway;
    this.lock = parts.lock;
    this.jails = parts.jails;
    this.dependencies = parts.dependencies;
    this.activities = createActivities(parts.dependencies);
  }

  /** @param uidBase first host uid of its jails at level `full`: no other lab's of the same machine. */
  static async create(level: JailLevel, files: ExperimentFiles, uidBase: number): Promise<AttemptLab> {
    const jails = await JailFixture.create(level);
    const folder = layOut(files);
    const { home } = folder;
    createDataHome(home);
    const frozen = await freezeExperiment(folder.file, home, {}, () => {});
    const { lock } = await storeExperiment(home, frozen, async () => false, false);
    const gateway = await startGateway({ policy: { closeGraceMs: 1_000 } });
    const sockets = join(gateway.directory, 's');
    mkdirSync(sockets, { recursive: true });
    for (const path of [folder.root, gateway.directory, sockets]) chmodSync(path, 0o755);
    const dependencies: ActivityDependencies = {
      gateway: handingOver(gateway.control, level),
      blobs: new BlobStore(home.blobs),
      repository: new MemoryRepository(),
      experiments: new ExperimentStore(home.experiments, home.attempts, async () => {}),
      sandbox: new BubblewrapSandbox({ ...jails.options, uidBase }),
      jails: {
        solver: reachableEnvironment(jails.root, level, 'solver'),
        runner: reachableEnvironment(jails.root, level, 'runner'),
        runnerCode: join(jails.root, 'runner'),
        judges: join(packageRoot, 'judges'),
      },
      promptTemplates: {},
      deriveFunctions: {},
      callLease: async () => {
        throw new Error('no updater here');
      },
      programDigests: frozenPrograms(lock),
      clock: Date.now,
    };
    const lab = new AttemptLab({ folder, gateway, lock, jails, dependencies });
    await lab.run('prepareExperiment', { experimentId: lock.id });
    return lab;
  }

  /** A revision of H0 with other files, committed as it is: no gate stands before it. */
  async revision(edit: HarnessEdit): Promise<Revision> {
    const { repository, experiments } = this.dependencies;
    const harness = join(packageRoot, 'harnesses', 'h0');
    const names = ['agent.py', 'environment.py', 'systemprompt.md', 'playbook.md'] as const;
    const files = Object.fromEntries(
      names.map((name) => [name, Buffer.from(edit[name] ?? readFileSync(join(harness, name)))]),
    ) as unknown as HarnessFiles;
    const commit = await repository.commit(files, 'a revision', {}, null);
    return { candidate: 1, commit, digest: experiments.digestOf(files) };
  }

  /** One attempt to its end, its next epochs included; answers its records in order. */
  async attempt(revision: Revision, task: string, replicate = 0): Promise<readonly AttemptRecord[]> {
    const request: AttemptRequest = {
      experimentId: this.lock.id,
      arm: ArmName.parse('static'),
      phase: 'search',
      revision,
      taskId: TaskId.parse(task),
      replicate,
    };
    await this.run('performAttempt', request);
    const { records } = await this.gateway.control.listRecords({ experimentId: this.lock.id });
    const locked = this.lock.identity.tasks.find(({ id }) => id === task);
    if (locked === undefined) throw new Error(`no task ${task}`);
    const key = attemptKey(this.lock, revision.digest, locked, replicate);
    return records
      .map(({ body }) => body as { readonly kind?: unknown; readonly key?: unknown })
      .filter((body) => body.kind === 'attempt' && body.key === key)
      .map((body) => AttemptRecord.parse(body));
  }

  /** A blob of a record as text; empty where it has none of that role. */
  async text(record: AttemptRecord, role: string): Promise<string> {
    const sha256 = record.blobs[role];
    return sha256 === undefined ? '' : Buffer.from(await this.dependencies.blobs.get(sha256)).toString('utf8');
  }

  /** What the commit gate says of a candidate with this playbook; each needs a number of its own. */
  async gate(playbook: Uint8Array, candidate: number): Promise<'committed' | 'invalid' | 'refused'> {
    const blob = await this.dependencies.blobs.put(playbook);
    const parent = await this.revision({});
    const committed = await this.run('commitCandidate', {
      experimentId: this.lock.id,
      arm: ArmName.parse('ace'),
      candidate,
      candidateCap: 100,
      parent,
      files: { 'playbook.md': blob },
      earlier: [],
    });
    return committed.kind;
  }

  private run<Name extends keyof Activities>(
    name: Name,
    input: Parameters<Activities[Name]>[0],
  ): Promise<Awaited<ReturnType<Activities[Name]>>> {
    const activity = this.activities[name] as (given: typeof input) => Promise<Awaited<ReturnType<Activities[Name]>>>;
    return new MockActivityEnvironment().run(activity, input);
  }

  async remove(): Promise<void> {
    await this.gateway.close();
    this.folder.remove();
    await this.jails.remove();
  }
}

/** At level `user` the engine would run under the account too; here it hands each lease's socket over instead. */
function handingOver(gateway: GatewayPort, { account }: JailLevel): GatewayPort {
  if (account === null) return gateway;
  return Object.assign(Object.create(gateway) as GatewayPort, {
    openLease: async (request: Parameters<GatewayPort['openLease']>[0]) => {
      const lease = await gateway.openLease(request);
      for (const path of [lease.socketDirectory, join(lease.socketDirectory, 'gateway.sock')]) {
        chownSync(path, account.uid, account.gid);
      }
      return lease;
    },
  });
}
