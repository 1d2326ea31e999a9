import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../activities/create-activities.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { rebuildRecords } from '../activities/rebuild-records.ts';
import { RecordStore } from '../activities/record-store.ts';
import { BlobStore } from './adapters/blob-store.ts';
import { BubblewrapSandbox } from './adapters/bubblewrap.ts';
import { ExperimentStore } from './adapters/experiment-store.ts';
import { GatewayClient } from './adapters/gateway-client.ts';
import { HarnessRepository } from './adapters/harness-repository.ts';
import { callThroughLease } from './adapters/lease-client.ts';
import { writeReportFiles } from './report/documents/write-report-files.ts';
import { createDataHome, type DataHome } from './services/data-home/data-home.ts';
import { listExperiments } from './services/data-home/experiment-directory.ts';
import { packageRoot } from './services/package-root.ts';
import { environmentDirectory } from './services/python/python-environments.ts';
import { programDigests } from './services/freeze/program-digests.ts';
import { createStaging } from './services/data-home/staging.ts';
import { sandboxSettings } from './services/sandbox-settings.ts';
import { taskQueueOf } from './services/temporal/task-queue.ts';
import { workflowBundlePath } from './services/processes/workflow-bundle.ts';
import { deriveFunctions } from './updaters/derive-functions.ts';
import { promptTemplates } from './updaters/prompts/prompt-templates.ts';

const second = 1_000;
const readyMs = 2 * second;

/** Attempts and other effects in flight at once; lanes decide how many attempts there are. */
const activitySlots = 512;

function dependenciesOf(home: DataHome, runnerCode: string): ActivityDependencies {
  return {
    gateway: new GatewayClient(home.controlSocket),
    blobs: new BlobStore(home.blobs),
    repository: new HarnessRepository(home.harnessRepository),
    experiments: new ExperimentStore(home.experiments, home.attempts, writeReportFiles),
    sandbox: new BubblewrapSandbox(sandboxSettings(home)),
    jails: {
      solver: environmentDirectory(home, 'solver'),
      runner: environmentDirectory(home, 'runner'),
      runnerCode,
      judges: join(packageRoot, 'judges'),
    },
    programDigests,
    promptTemplates,
    deriveFunctions,
    callLease: callThroughLease,
    clock: Date.now,
  };
}

async function connect(address: string): Promise<NativeConnection> {
  const { connectionOptions } = loadClientConnectConfig();
  for (let attempt = 1; ; attempt++) {
    try {
      return await NativeConnection.connect({ ...connectionOptions, address });
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Written again and again: whoever loses it would wait for a worker that is there. */
function announceReady(file: string): void {
  try {
    writeFileSync(file, `${process.pid}\n`);
  } catch {
    // The supervisor makes the folder anew.
  }
}

/**
 * The worker of one data home: workflows decide, activities do. May be killed at any moment; resolves after SIGTERM.
 * @param runnerCode folder with `solve.py`, the trusted entry of the harness jail.
 */
export async function runWorker(home: DataHome, runnerCode: string): Promise<void> {
  createDataHome(home);
  createStaging(home);
  const ready = join(home.run, 'worker.ready');
  rmSync(ready, { force: true });
  const log = pino({ base: { service: 'worker' }, serializers: { error: pino.stdSerializers.err } });
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const { taskToken: _, ...fields } = (meta ?? {}) as Record<string, unknown>;
      log[level === 'ERROR' ? 'error' : level === 'WARN' ? 'warn' : 'info'](fields, message);
    }),
  });
  const dependencies = dependenciesOf(home, runnerCode);
  const records = new RecordStore(dependencies);
  const connection = await connect(process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233');
  const worker = await Worker.create({
    connection,
    namespace: loadClientConnectConfig().namespace ?? 'default',
    taskQueue: taskQueueOf(home),
    workflowBundle: { codePath: workflowBundlePath },
    activities: createActivities(dependencies, records),
    maxConcurrentActivityTaskExecutions: activitySlots,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxHeartbeatThrottleInterval: 3 * second,
    shutdownGraceTime: second,
    shutdownForceTime: 20 * second,
  });
  const announce = setInterval(() => announceReady(ready), readyMs);
  announceReady(ready);
  void rebuildRecords(listExperiments(home), records, ({ id }, error) =>
    log.warn({ experiment: id, error }, 'records-not-rebuilt'),
  );
  await worker.run();
  clearInterval(announce);
  rmSync(ready, { force: true });
}
