#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join, resolve } from 'node:path';
import { BlobStore } from '../adapters/blob-store.ts';
import { GatewayClient } from '../adapters/gateway-client.ts';
import { HarnessRepository } from '../adapters/harness-repository.ts';
import { isAnnealError } from '../domain/errors.ts';
import { engineVersion } from '../services/engine-version.ts';
import { packageRoot } from '../services/package-root.ts';
import { ensurePythonEnvironments, environmentDirectory } from '../services/python/python-environments.ts';
import { storeExperiment } from '../services/freeze/store-experiment.ts';
import type { AttemptKey } from '../schema/ids.ts';
import type { FrozenExperiment } from '../services/freeze/freeze-experiment.ts';
import type { Dependencies, FreezeRequest } from './dependencies.ts';
import { leaveWithReader } from './leave-with-reader.ts';
import { processTerminal } from './process-terminal.ts';
import { runProgram } from './run-program.ts';

const { env: environment } = process;
const workingDirectory = process.cwd();

/** An experiment file as frozen, with the lanes that were asked for. */
async function freezeFile(
  { file, home, lanes }: Pick<FreezeRequest, 'file' | 'home' | 'lanes'>,
  narrate: (line: string) => void,
): Promise<FrozenExperiment> {
  const { freezeExperiment } = await import('../services/freeze/freeze-experiment.ts');
  const frozen = await freezeExperiment(resolve(workingDirectory, file), home, environment, narrate);
  const operational = { ...frozen.lock.operational, lanes: lanes ?? frozen.lock.operational.lanes };
  return { ...frozen, lock: { ...frozen.lock, operational } };
}

/** What only some commands need is loaded by them: `anneal report` waits for no Temporal client. */
const dependencies: Dependencies = {
  environment,
  workingDirectory,
  version: engineVersion(),
  demoFile: join(packageRoot, 'experiments', 'demo.yaml'),
  clock: Date.now,
  sleep: async (milliseconds, signal) => {
    await delay(milliseconds, null, { signal }).catch(() => null);
  },
  interruptible: async (run) => {
    const controller = new AbortController();
    // Not `once`: a listener that removes itself lets the cursor's own handler end the process. Twice means at once.
    const abort = (): void => (controller.signal.aborted ? process.exit(130) : controller.abort());
    process.on('SIGINT', abort);
    try {
      return await run(controller.signal, abort);
    } finally {
      process.off('SIGINT', abort);
    }
  },
  createEngine: async (home) => (await import('../services/create-engine.ts')).createEngine(home, environment),
  freeze: async ({ allowNew, isOpen, ...request }, narrate) =>
    storeExperiment(request.home, await freezeFile(request, narrate), isOpen, allowNew),
  preview: async (request, narrate) => (await freezeFile(request, narrate)).lock,
  ledger: async (home, lock) => {
    const gateway = new GatewayClient(home.controlSocket);
    try {
      const request = { experimentId: lock.id };
      const [usage, { leases }] = await Promise.all([gateway.usage(request), gateway.openLeases(request)]);
      return { usage, leases };
    } catch (error) {
      if (isAnnealError(error)) return null;
      throw error;
    } finally {
      await gateway.disconnect();
    }
  },
  diff: (home, from, to) => new HarnessRepository(home.harnessRepository).diff(from, to),
  readBlob: (home, digest) => new BlobStore(home.blobs).get(digest),
  blobPath: (home, digest) => new BlobStore(home.blobs).path(digest),
  attemptLedger: async (home, lock) => {
    if (!existsSync(home.ledger)) return null;
    const { openLedgerReader } = await import('../adapters/ledger-reader.ts');
    const reader = openLedgerReader(home.ledger);
    return {
      epochs: reader.epochs(lock.id).filter(({ role }) => role === 'solver'),
      callsOf: (key) => reader.callsOf(key as AttemptKey),
      close: () => reader.close(),
    };
  },
  audit: async (home, lock) => (await import('./run-audit.ts')).runAudit(home, lock),
  doctorLive: async (engine, wanted, narrate) => {
    const { runLiveDoctor } = await import('../services/doctor/doctor-live.ts');
    return runLiveDoctor(engine, { wanted, workingDirectory, environment }, narrate);
  },
  doctor: async (engine) => (await import('../services/doctor/doctor.ts')).runDoctor(engine, environment),
  auditTasks: async (directory, home, narrate) =>
    (await import('../services/task-packs/audit-tasks.ts')).auditTasks(directory, home, narrate),
  importOfficeBench: async ({ source, out, home }, narrate) => {
    const { importOfficeBench } = await import('../importers/officebench.ts');
    return importOfficeBench({
      source,
      out,
      mode: 'faithful',
      overlay: join(packageRoot, 'tasks', 'officebench-overlay.yaml'),
      python: join(environmentDirectory(home, 'solver'), 'bin', 'python'),
      judges: join(packageRoot, 'judges'),
      prepare: () => ensurePythonEnvironments(home, ['solver'], narrate),
    });
  },
};

leaveWithReader(process);
process.exitCode = await runProgram(
  process.argv.slice(2),
  processTerminal(environment, !process.argv.includes('--json')),
  dependencies,
);
