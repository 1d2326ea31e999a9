import { GatewayClient } from '../../adapters/gateway-client.ts';
import { callThroughLease } from '../../adapters/lease-client.ts';
import type { Check } from './check.ts';
import type { Engine } from '../engine.ts';
import { liveModels } from './live-models.ts';
import { probeModel } from './probe-model.ts';

/** Which experiment's models are to be tried, and where its file and keys are looked for. */
export interface LiveDoctorRequest {
  /** Experiment file, or a stored experiment's id or name. */
  readonly wanted: string;
  readonly workingDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Three small calls to each model of an experiment. Starts the services where they are missing; costs a little. */
export async function runLiveDoctor(
  engine: Engine,
  { wanted, workingDirectory, environment }: LiveDoctorRequest,
  report: (line: string) => void,
): Promise<readonly Check[]> {
  const models = liveModels(wanted, workingDirectory, engine.home, environment);
  await engine.up(report);
  const gateway = new GatewayClient(engine.home.controlSocket);
  try {
    const checks: Check[] = [];
    for (const model of models) {
      checks.push(...(await probeModel({ gateway, call: callThroughLease, clock: Date.now }, model)));
    }
    return checks;
  } finally {
    await gateway.disconnect();
  }
}
