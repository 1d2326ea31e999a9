import { join } from 'node:path';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  isGrpcServiceError,
  type Client,
} from '@temporalio/client';
import { experimentStatus, setLanes, setPaused } from '../../workflows/messages.ts';
import { workflowIds } from '../../workflows/workflow-ids.ts';
import { GatewayClient } from '../adapters/gateway-client.ts';
import type { JudgeAgain } from '../contract/activities.ts';
import { AnnealError, isAnnealError } from '../domain/errors.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import { experimentRegistration } from '../schema/experiment-registration.ts';
import { stampDataHome } from './data-home/data-home-version.ts';
import { createDataHome, type DataHome } from './data-home/data-home.ts';
import type { Engine, LiveState, ServiceState } from './engine.ts';
import { stopAttempt } from './processes/attempts-in-flight.ts';
import { isExperimentClosed } from './data-home/experiment-closed.ts';
import { keepersLeftBehind, type LeftBehind } from './processes/left-behind.ts';
import { recordExposure, type Exposure } from './data-home/record-exposure.ts';
import { runToEnd } from './temporal/run-to-end.ts';
import { findTrouble } from './temporal/find-trouble.ts';
import { readPidFile } from './processes/pid-file.ts';
import { ensurePythonEnvironments, environmentNames } from './python/python-environments.ts';
import { serviceNames, type ServiceName } from './processes/service-specification.ts';
import { refuseLostLedger } from './data-home/refuse-lost-ledger.ts';
import { createStaging } from './data-home/staging.ts';
import { startServices } from './processes/start-services.ts';
import { staleKeys } from './processes/stale-keys.ts';
import { stopServices } from './processes/stop-services.ts';
import { taskQueueOf } from './temporal/task-queue.ts';
import { currentTemporalAddress } from './temporal/temporal-address.ts';
import { connectTemporal } from './temporal/temporal-connection.ts';
import { requireUserNamespaces } from './doctor/user-namespaces.ts';

/** Attempts judged again between two pages of a history. */
const rejudgePage = 250;
/** How long a command waits for a server that should be up. */
const connectMs = 2_000;

/** The engine of one data home over real processes and a Temporal client. */
export function createEngine(home: DataHome, environment: NodeJS.ProcessEnv): Engine {
  return new LocalEngine(home, environment);
}

class LocalEngine implements Engine {
  readonly home: DataHome;
  private readonly environment: NodeJS.ProcessEnv;
  private client: Promise<Client> | null = null;
  /** Where `client` is connected to. */
  private address = '';

  constructor(home: DataHome, environment: NodeJS.ProcessEnv) {
    this.home = home;
    this.environment = environment;
  }

  async up(report: (line: string) => void, lock?: ExperimentLock): Promise<readonly ServiceState[]> {
    requireUserNamespaces();
    createDataHome(this.home);
    createStaging(this.home);
    stampDataHome(this.home);
    refuseLostLedger(this.home);
    await ensurePythonEnvironments(this.home, environmentNames, report);
    if (lock !== undefined) await this.stopOnNewKeys(lock, report);
    await startServices(this.home, this.environment, report);
    return this.services();
  }

  private async stopOnNewKeys(lock: ExperimentLock, report: (line: string) => void): Promise<void> {
    const stale = staleKeys(this.home, lock, this.environment);
    if (stale.length === 0) return;
    report(`services: ${stale.join(', ')} changed since they were started; starting them anew`);
    await this.close();
    await stopServices(this.home, { now: false }, report);
  }

  async down(options: { readonly now: boolean }, report: (line: string) => void): Promise<readonly ServiceState[]> {
    const orphans = await this.leftBehind();
    await this.close();
    if (orphans.length > 0) report(`ending ${countOf(orphans.length)} that a workflow which is gone left behind`);
    await Promise.all(orphans.map((orphan) => stopAttempt(orphan)));
    await stopServices(this.home, options, report);
    return this.services();
  }

  async services(): Promise<readonly ServiceState[]> {
    const address = currentTemporalAddress(this.home, this.environment);
    return serviceNames.map((name): ServiceState => {
      if (name === 'temporal' && address?.kind === 'external') {
        return { name, state: 'external', pid: null, detail: address.address };
      }
      const running = readPidFile(join(this.home.run, `${name}.pid`));
      const detail = this.detailOf(name, address?.address ?? '');
      return { name, state: running === null ? 'stopped' : 'running', pid: running?.pid ?? null, detail };
    });
  }

  async start(lock: ExperimentLock): Promise<'started' | 'attached' | 'closed'> {
    if (isExperimentClosed(this.home, lock.id)) return 'closed';
    await this.register(lock);
    const client = await this.temporal();
    const workflowId = workflowIds.experiment(lock.id);
    const before = await this.live(lock);
    try {
      await client.workflow.start('experiment', {
        workflowId,
        taskQueue: taskQueueOf(this.home),
        args: [{ experimentId: lock.id, lanes: lock.operational.lanes }],
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    return before?.run === 'running' ? 'attached' : 'started';
  }

  async pause(lock: ExperimentLock): Promise<void> {
    await this.signal(lock, 'paused', (handle) => handle.signal(setPaused, { paused: true }));
  }

  async resume(lock: ExperimentLock, lanes: number | undefined): Promise<void> {
    await this.signal(lock, 'resumed', async (handle) => {
      if (lanes !== undefined) await handle.signal(setLanes, { lanes });
      await handle.signal(setPaused, { paused: false });
    });
  }

  async setLanes(lock: ExperimentLock, lanes: number): Promise<void> {
    await this.signal(lock, 'given other lanes', (handle) => handle.signal(setLanes, { lanes }));
  }

  async cancel(lock: ExperimentLock): Promise<void> {
    await this.signal(lock, 'cancelled', (handle) => handle.cancel());
  }

  async live(lock: ExperimentLock): Promise<LiveState | null> {
    const { lanes } = lock.operational;
    try {
      const client = await this.temporal();
      const handle = client.workflow.getHandle(workflowIds.experiment(lock.id));
      const { status } = await handle.describe();
      const run = runOf(status.name);
      if (run !== 'running') return { run, phase: run, arm: null, paused: false, lanes, trouble: null };
      // The calls themselves must end too: one that is left behind keeps the process from ending.
      const [state, trouble] = await client.withDeadline(Date.now() + connectMs, () =>
        Promise.all([handle.query(experimentStatus).catch(() => null), findTrouble(client, lock.id).catch(() => null)]),
      );
      return { run, phase: 'unknown', arm: null, paused: false, lanes, ...state, trouble };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || error instanceof AnnealError || isGrpcServiceError(error))
        return null;
      throw error;
    }
  }

  async rejudge(lock: ExperimentLock, attempts: readonly JudgeAgain[]): Promise<void> {
    const { lanes } = lock.operational;
    await this.register(lock);
    await runToEnd(
      await this.temporal(),
      {
        type: 'rejudge',
        workflowId: workflowIds.rejudge(lock.id),
        taskQueue: taskQueueOf(this.home),
        input: { experimentId: lock.id, lanes, attempts, pageSize: rejudgePage },
      },
      () => new AnnealError('ANL-1011', { experiment: lock.id, state: 'being judged again', action: 'judged again' }),
    );
  }

  async closeExperiment(lock: ExperimentLock): Promise<void> {
    const running = (): AnnealError =>
      new AnnealError(
        'ANL-1011',
        { experiment: lock.id, state: 'running', action: 'closed' },
        { why: 'its workflow goes on', next: `anneal cancel ${lock.id}     ends it and closes it` },
      );
    if (isExperimentClosed(this.home, lock.id)) return;
    if ((await this.live(lock))?.run === 'running') throw running();
    await runToEnd(
      await this.temporal(),
      {
        type: 'close',
        workflowId: workflowIds.experiment(lock.id),
        taskQueue: taskQueueOf(this.home),
        input: { experimentId: lock.id },
      },
      running,
    );
  }

  recordExposure(lock: ExperimentLock, exposure: Exposure): Promise<void> {
    return recordExposure(this.home, lock, exposure);
  }

  leftBehind(): Promise<readonly LeftBehind[]> {
    return keepersLeftBehind(this.home, async (lock) => {
      const live = await this.live(lock);
      return live === null ? null : live.run === 'running';
    });
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => null);
    this.client = null;
    await client?.connection.close();
  }

  /** The gateway tells at once what it lacks: a key variable that is not set in its own environment. */
  private async register(lock: ExperimentLock): Promise<void> {
    const gateway = new GatewayClient(this.home.controlSocket);
    try {
      await gateway.registerExperiment(experimentRegistration(lock));
    } catch (error) {
      if (!isAnnealError(error, 'ANL-5005')) throw error;
      const { variable, role } = error.fields;
      const set = (this.environment[String(variable)] ?? '') !== '';
      throw new AnnealError(
        'ANL-5005',
        { variable: String(variable), role: String(role) },
        {
          why: set ? 'it is set here, but the gateway was started without it' : 'it is not set here either',
          ...(set ? { next: 'anneal down     then the same command again' } : {}),
          notSpent: 'nothing was started, 0 tokens spent',
        },
      );
    } finally {
      await gateway.disconnect();
    }
  }

  private async signal(
    lock: ExperimentLock,
    action: string,
    send: (handle: ReturnType<Client['workflow']['getHandle']>) => Promise<unknown>,
  ): Promise<void> {
    const client = await this.temporal();
    try {
      await send(client.workflow.getHandle(workflowIds.experiment(lock.id)));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      throw new AnnealError('ANL-1011', { experiment: lock.id, state: 'not running', action });
    }
  }

  private async temporal(): Promise<Client> {
    const address = currentTemporalAddress(this.home, this.environment);
    if (address === null)
      throw new AnnealError('ANL-5003', { address: '127.0.0.1' }, { why: 'it was never started here' });
    if (address.address !== this.address) await this.close();
    this.address = address.address;
    this.client ??= connectTemporal(address.address, connectMs).catch((error: unknown) => {
      this.client = null;
      throw error;
    });
    return this.client;
  }

  private detailOf(name: ServiceName, address: string): string {
    if (name === 'temporal') return address;
    return name === 'gateway' ? this.home.controlSocket : taskQueueOf(this.home);
  }
}

function countOf(keepers: number): string {
  return keepers === 1 ? '1 keeper' : `${keepers} keepers`;
}

function runOf(status: string): LiveState['run'] {
  switch (status) {
    case 'RUNNING':
    case 'CONTINUED_AS_NEW':
      return 'running';
    case 'COMPLETED':
      return 'completed';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return 'failed';
  }
}
