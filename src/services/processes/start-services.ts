import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { GatewayClient } from '../../adapters/gateway-client.ts';
import { exclusively, tryProcessLock } from '../../adapters/process-lock.ts';
import { portHolder } from '../../adapters/port-holder.ts';
import { AnnealError } from '../../domain/errors.ts';
import { awaitService } from './await-service.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { packageRoot } from '../package-root.ts';
import { readPidFile } from './pid-file.ts';
import { isAlive } from './process-identity.ts';
import { refuseOtherEngine } from './running-engine.ts';
import { type ServiceEnds, forgetEnds, readEnds } from './service-ends.ts';
import { storedTemporalAddress } from './service-specification.ts';
import { isStopping } from './stopping.ts';
import { textIfThere } from './text-if-there.ts';
import { probeTemporal } from '../temporal/probe-temporal.ts';
import { connectTemporal } from '../temporal/temporal-connection.ts';
import { claimTemporalAddress, currentTemporalAddress, type TemporalAddress } from '../temporal/temporal-address.ts';

const retentionSeconds = 90 * 24 * 3600;
/** How long a server that is started elsewhere may take. */
const externalMs = 60_000;
const addressMs = 5_000;
const pollMs = 50;

/**
 * Start the supervisor when none runs, and wait until Temporal, gateway and worker answer. Idempotent; several callers, and
 * one that stops the services, follow one another.
 */
export function startServices(
  home: DataHome,
  environment: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<TemporalAddress> {
  const onWait = (): void => report('services: another anneal starts or stops them; waiting');
  return exclusively(home.servicesLock, onWait, () => start(home, environment, report));
}

async function start(
  home: DataHome,
  environment: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<TemporalAddress> {
  await untilStopped(home, report);
  const supervised = await isSupervised(home);
  if (supervised) refuseOtherEngine(home);
  const temporal = supervised
    ? await supervisedAddress(home, environment)
    : await claimTemporalAddress(home, environment);
  if (!supervised) forgetEnds(home);
  const before = readEnds(home);
  if (!supervised) {
    const child = spawn(
      process.execPath,
      [join(packageRoot, 'dist', 'src', 'services', 'processes', 'supervisor.js')],
      {
        env: {
          ...environment,
          ANNEAL_HOME: home.root,
          TEMPORAL_ADDRESS: temporal.address,
          ANNEAL_TEMPORAL_KIND: temporal.kind,
        },
        cwd: home.root,
        stdio: 'ignore',
        detached: true,
      },
    );
    child.unref();
    report(`services: starting ${temporal.kind === 'embedded' ? 'Temporal, ' : ''}gateway and worker`);
  }
  if (temporal.kind === 'external' && (await probeTemporal(temporal.address)).kind === 'fails') {
    const most = `for ${externalMs / 1000} s at most`;
    report(`services: Temporal at ${temporal.address} (TEMPORAL_ADDRESS) does not answer yet; waiting ${most}`);
  }
  const client = await connected(home, temporal, before);
  try {
    if (temporal.kind === 'embedded') await keepHistories(client);
  } finally {
    await client.connection.close();
  }
  await waitForGateway(home, before);
  await waitForWorker(home, before);
  return currentTemporalAddress(home, environment) ?? temporal;
}

/** A supervisor whose pid file was lost still holds its lock, and writes the file anew within a second. */
async function isSupervised(home: DataHome): Promise<boolean> {
  for (const deadline = Date.now() + addressMs; ; await sleep(pollMs)) {
    if (readPidFile(join(home.run, 'supervisor.pid')) !== null) return true;
    const lock = tryProcessLock(home.supervisorLock);
    lock?.release();
    if (lock !== null || Date.now() > deadline) return false;
  }
}

/** What is being stopped cannot be used and is not there to be started yet. */
async function untilStopped(home: DataHome, report: (line: string) => void): Promise<void> {
  const supervisor = readPidFile(join(home.run, 'supervisor.pid'));
  if (supervisor === null || !isStopping(home)) return;
  report('services: waiting until they are stopped, attempts in flight finish first (anneal down --now stops them)');
  while (isAlive(supervisor)) await sleep(pollMs);
}

/** Where the services that run already keep workflows: the supervisor writes it down anew within a second. */
async function supervisedAddress(home: DataHome, environment: NodeJS.ProcessEnv): Promise<TemporalAddress> {
  for (const deadline = Date.now() + addressMs; Date.now() < deadline; await sleep(pollMs)) {
    const current = currentTemporalAddress(home, environment);
    if (current?.kind === 'external' && readPidFile(join(home.run, 'temporal.pid')) !== null) {
      throw otherServer('the services run with a server of their own, not with the one of TEMPORAL_ADDRESS');
    }
    if (current !== null) return current;
  }
  throw otherServer('the services run with a server whose address is not known; TEMPORAL_ADDRESS names it');
}

function otherServer(why: string): AnnealError {
  return new AnnealError('ANL-5007', { service: 'temporal' }, { why, next: 'anneal down     then the same again' });
}

/** Closed histories stay for 90 days; the development server's default is one. */
async function keepHistories(client: Client): Promise<void> {
  await client.workflowService.updateNamespace({
    namespace: client.options.namespace,
    config: { workflowExecutionRetentionTtl: { seconds: retentionSeconds as never } },
  });
}

async function connected(home: DataHome, { kind, address }: TemporalAddress, before: ServiceEnds): Promise<Client> {
  if (kind === 'external') return connectTemporal(address, externalMs);
  let client: Client | null = null;
  await awaitService(home, 'temporal', before, async () => {
    // The supervisor moves the server where somebody else took the port, whose answer must not pass for its own.
    const current = storedTemporalAddress(home) ?? address;
    const server = readPidFile(join(home.run, 'temporal.pid'));
    if (server === null || portHolder(server.pid, Number(current.split(':')[1])) === 'other') return false;
    client = await connectTemporal(current, 0);
    return true;
  });
  return client ?? connectTemporal(address, 0);
}

async function waitForGateway(home: DataHome, before: ServiceEnds): Promise<void> {
  const gateway = new GatewayClient(home.controlSocket);
  try {
    await awaitService(home, 'gateway', before, async () => {
      await gateway.health({});
      return true;
    });
  } finally {
    await gateway.disconnect();
  }
}

async function waitForWorker(home: DataHome, before: ServiceEnds): Promise<void> {
  await awaitService(home, 'worker', before, async () => {
    const running = readPidFile(join(home.run, 'worker.pid'));
    return running !== null && textIfThere(join(home.run, 'worker.ready')).trim() === String(running.pid);
  });
}
