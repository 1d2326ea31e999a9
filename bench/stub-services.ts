import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { GatewayClient } from '../src/adapters/gateway-client.ts';
import { createDataHome, dataHomeAt, type DataHome } from '../src/services/data-home/data-home.ts';
import { packageRoot } from '../src/services/package-root.ts';
import { ensurePythonEnvironments, environmentNames } from '../src/services/python/python-environments.ts';
import { serviceNames, serviceSpecification } from '../src/services/processes/service-specification.ts';
import { SupervisedService } from '../src/services/processes/supervised-service.ts';
import { claimTemporalAddress } from '../src/services/temporal/temporal-address.ts';
import { connectTemporal } from '../src/services/temporal/temporal-connection.ts';

/**
 * Runs `work` in the bench's data home with Temporal, gateway and a worker whose harness jail runs the stub. With
 * `profileFolder` the worker's CPU profile lies there afterwards, one file a thread; profiling costs some time itself.
 */
export async function withStubServices<Result>(
  work: (home: DataHome) => Promise<Result>,
  profileFolder: string | null = null,
): Promise<Result> {
  const home = dataHomeAt(join(packageRoot, '.anneal-bench'));
  rmSync(home.ledger, { force: true });
  createDataHome(home);
  await ensurePythonEnvironments(home, environmentNames, (line) => process.stderr.write(`${line}\n`));
  const services = await startStubServices(home, profileFolder);
  try {
    return await work(home);
  } finally {
    for (const service of services.toReversed()) await service.stop(20_000);
  }
}

async function startStubServices(home: DataHome, profileFolder: string | null): Promise<SupervisedService[]> {
  const { address } = await claimTemporalAddress(home, {});
  const log = pino({ level: 'silent' });
  const services = serviceNames.map((name) => {
    const specification = serviceSpecification(home, name, address, process.env);
    const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
    const stub = [...profiling, join(packageRoot, 'dist', 'bench', 'stub-worker.js')];
    return new SupervisedService(name === 'worker' ? { ...specification, parameters: stub } : specification, log);
  });
  for (const service of services) service.start();
  await (await connectTemporal(address, 30_000)).connection.close();
  await untilGatewayAnswers(home);
  return services;
}

async function untilGatewayAnswers(home: DataHome): Promise<void> {
  const gateway = new GatewayClient(home.controlSocket);
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    try {
      await gateway.health({});
      break;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
  await gateway.disconnect();
}
