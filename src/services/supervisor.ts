import { join } from 'node:path';
import { pino } from 'pino';
import { createDataHome, locateDataHome } from './data-home.ts';
import { readPidFile, removePidFile, writePidFile } from './pid-file.ts';
import { serviceNames, serviceSpecification } from './service-specification.ts';
import { SupervisedService } from './supervised-service.ts';

const graceMs = { worker: 25_000, gateway: 10_000, temporal: 10_000 } as const;

/**
 * The process behind `anneal up`: keeps Temporal (when embedded), gateway and worker of one data home running until SIGTERM.
 * A second one for the same data home ends at once. Environment: ANNEAL_HOME, TEMPORAL_ADDRESS, ANNEAL_TEMPORAL_KIND.
 */
async function supervise(): Promise<void> {
  const home = locateDataHome(process.cwd(), process.env);
  createDataHome(home);
  const pidFile = join(home.run, 'supervisor.pid');
  const other = readPidFile(pidFile);
  if (other !== null && other.pid !== process.pid) return;
  writePidFile(pidFile, process.pid);
  const log = pino({ base: { service: 'supervisor' } }, pino.destination({ dest: join(home.logs, 'supervisor.log') }));
  const { TEMPORAL_ADDRESS: address = '', ANNEAL_TEMPORAL_KIND: kind, ...environment } = process.env;
  const names = serviceNames.filter((name) => name !== 'temporal' || kind === 'embedded');
  const services = new Map(
    names.map((name) => [name, new SupervisedService(serviceSpecification(home, name, address, environment), log)]),
  );
  for (const service of services.values()) service.start();
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  for (const name of names.toReversed()) await services.get(name)?.stop(graceMs[name]);
  removePidFile(pidFile);
}

await supervise();
process.exit(0);
