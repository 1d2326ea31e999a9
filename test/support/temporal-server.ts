import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../src/contract/activities.ts';
import { dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { pollSettings } from '../../src/services/processes/service-specification.ts';
import { connectTemporal } from '../../src/services/temporal/temporal-connection.ts';
import { environmentDirectory } from '../../src/services/python/python-environments.ts';
import { installQuietRuntime } from './quiet-runtime.ts';
import { workflowBundle } from './workflow-bundle.ts';

const temporal = join(environmentDirectory(dataHomeAt(join(packageRoot, '.anneal-test')), 'tools'), 'bin', 'temporal');

const startMs = 60_000;

let queues = 0;

/** A running development server and the way to end it. */
export interface TemporalServer {
  readonly environment: TestWorkflowEnvironment;
  readonly stop: () => Promise<void>;
}

/** A development server of its own on a free port, in memory; waits longer than the SDK's five seconds would. */
export async function startTemporalServer(): Promise<TemporalServer> {
  installQuietRuntime();
  const { server, address } = await startProcess();
  const environment = await TestWorkflowEnvironment.createFromExistingServer({ address });
  return {
    environment,
    stop: async () => {
      await environment.teardown();
      server.kill('SIGKILL');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

/** Somebody else may take the free port before the server does: then it ends at once, and another one is tried. */
async function startProcess(): Promise<{ readonly server: ChildProcess; readonly address: string }> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const server = spawn(
      temporal,
      [
        ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
        ...pollSettings,
      ],
      { stdio: 'ignore', env: { ...process.env, USER: 'anneal' } },
    );
    const address = `127.0.0.1:${port}`;
    const ended = once(server, 'exit').then(() => null);
    const connected = connectTemporal(address, startMs);
    const client = await Promise.race([connected, ended]);
    if (client !== null) {
      await client.connection.close();
      return { server, address };
    }
    connected.then(
      ({ connection }) => connection.close(),
      () => {},
    );
    if (tries === 3) throw new Error(`the development server ended ${tries} times before it answered`);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A task queue that no other test uses. */
export function freshTaskQueue(): string {
  queues += 1;
  return `test-${process.pid}-${queues}`;
}

/** A worker on the real workflows with activities of the test's own; `run` it, then `shutdown`. */
export async function createTestWorker(
  { nativeConnection }: TestWorkflowEnvironment,
  taskQueue: string,
  activities: Activities,
): Promise<Worker> {
  return Worker.create({
    connection: nativeConnection,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities,
    maxHeartbeatThrottleInterval: 200,
    defaultHeartbeatThrottleInterval: 200,
    shutdownGraceTime: 100,
    shutdownForceTime: 5_000,
    stickyQueueScheduleToStartTimeout: 1_000,
  });
}
