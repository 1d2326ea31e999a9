import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { lastLine } from '../../adapters/last-line.ts';
import { tryProcessLock } from '../../adapters/process-lock.ts';
import { untilAttemptsEnd } from './attempts-in-flight.ts';
import { createDataHome, locateDataHome } from '../data-home/data-home.ts';
import { engineVersion } from '../engine-version.ts';
import { stampEngine } from './running-engine.ts';
import { readPidFile, removePidFile, writePidFile } from './pid-file.ts';
import {
  type ServiceName,
  type ServiceSpecification,
  serviceNames,
  serviceSpecification,
  storedTemporalAddress,
} from './service-specification.ts';
import { createStaging } from '../data-home/staging.ts';
import { clearStopping, markStopping } from './stopping.ts';
import { SupervisedService } from './supervised-service.ts';
import { newTemporalAddress, storeTemporalAddress } from '../temporal/temporal-address.ts';

/** How soon what was lost below `run/` stands there again. */
const announceMs = 1_000;
/** What the server says last where another process listens at its port. */
const portTaken = /address already in use/;
const graceMs = { worker: 25_000, gateway: 10_000, temporal: 10_000 } as const;

/**
 * The process behind `anneal up`: keeps Temporal (when embedded), gateway and worker of one data home running until SIGTERM;
 * the worker then stops first, the others when the attempts in flight are over.
 * A second one for the same data home ends at once. Environment: ANNEAL_HOME, TEMPORAL_ADDRESS, ANNEAL_TEMPORAL_KIND.
 */
async function supervise(): Promise<void> {
  const home = locateDataHome(process.cwd(), process.env);
  createDataHome(home);
  createStaging(home);
  const pidFile = join(home.run, 'supervisor.pid');
  const lock = tryProcessLock(home.supervisorLock);
  if (lock === null) return;
  const log = pino({ base: { service: 'supervisor' } }, pino.destination({ dest: join(home.logs, 'supervisor.log') }));
  const { TEMPORAL_ADDRESS: given = '', ANNEAL_TEMPORAL_KIND: kind, ...environment } = process.env;
  let address = given;
  const names = serviceNames.filter((name) => name !== 'temporal' || kind === 'embedded');
  const specify = (name: ServiceName): ServiceSpecification => serviceSpecification(home, name, address, environment);
  /** Somebody else took the port between two lives of the server: it moves to another one, and the worker follows. */
  const moveOffTakenPort = async (): Promise<void> => {
    if (!portTaken.test(lastLine(join(home.logs, 'temporal.log')))) return;
    const before = address;
    address = await newTemporalAddress(home);
    log.warn({ service: 'temporal', before, address }, 'port-taken');
    services.get('temporal')?.respecify(specify('temporal'));
    services.get('worker')?.respecify(specify('worker'));
  };
  const services = new Map(
    names.map((name) => {
      const onEnd = name === 'temporal' ? moveOffTakenPort : undefined;
      return [name, new SupervisedService(specify(name), log, onEnd)];
    }),
  );
  const signalled = new Promise<void>((resolve) => {
    // Not `once`: being asked twice must not end the wait for attempts in flight.
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
  const version = engineVersion();
  const announce = (): void => {
    createDataHome(home);
    createStaging(home);
    if (readPidFile(pidFile)?.pid !== process.pid) writePidFile(pidFile, process.pid);
    stampEngine(home, version);
    if (kind === 'embedded' && storedTemporalAddress(home) !== address) storeTemporalAddress(home, address);
  };
  clearStopping(home);
  announce();
  for (const service of services.values()) service.start();
  const timer = setInterval(() => quietly(announce, log), announceMs);
  await signalled;
  clearInterval(timer);
  quietly(() => markStopping(home), log);
  await services.get('worker')?.stop(graceMs.worker);
  // Keepers need the gateway; whoever stops them instead does so while this waits.
  await untilAttemptsEnd(home);
  for (const name of names.toReversed()) await services.get(name)?.stop(graceMs[name]);
  removePidFile(pidFile);
  clearStopping(home);
  lock.release();
}

/** A full disk is no reason to leave the services alone. */
function quietly(work: () => void, log: Logger): void {
  try {
    work();
  } catch (error) {
    log.warn({ error: String(error) }, 'not-announced');
  }
}

await supervise();
process.exit(0);
