import type { AttemptRecord } from '../src/schema/record.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { createEngine } from '../src/services/create-engine.ts';
import type { DataHome } from '../src/services/data-home/data-home.ts';
import { experimentDirectory } from '../src/services/data-home/experiment-directory.ts';
import { readRecordLines } from '../src/services/data-home/read-record-lines.ts';
import { readRecords } from '../src/services/data-home/read-records.ts';
import { freezeExperiment } from '../src/services/freeze/freeze-experiment.ts';
import type { ServiceName } from '../src/services/processes/service-specification.ts';
import { storeExperiment } from '../src/services/freeze/store-experiment.ts';
import { serviceUse } from './service-use.ts';

const lookMs = 500;

/** One experiment with the stub harness: its records, the time between its first and last record, the services' CPU time. */
export interface StubPass {
  readonly attempts: readonly AttemptRecord[];
  readonly wallMs: number;
  readonly cpuMs: Readonly<Record<ServiceName, number>>;
}

/**
 * Runs the experiment of `file` on services that are up, as a new experiment, to its end. `look` hears twice a second how
 * many attempts are on record.
 */
export async function runStubPass(
  home: DataHome,
  file: string,
  look: ((attempts: number) => void) | null = null,
): Promise<StubPass> {
  const engine = createEngine(home, process.env);
  const frozen = await freezeExperiment(file, home, process.env, () => undefined);
  const { lock } = await storeExperiment(home, frozen, async () => false, true);
  const before = serviceUse(home);
  await engine.start(lock);
  const attempts = await attemptsOf(home, lock, engine, look);
  await engine.close();
  const after = serviceUse(home);
  const times = attempts.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b);
  const wallMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    attempts,
    wallMs,
    cpuMs: {
      temporal: after.temporal.cpuMs - before.temporal.cpuMs,
      gateway: after.gateway.cpuMs - before.gateway.cpuMs,
      worker: after.worker.cpuMs - before.worker.cpuMs,
    },
  };
}

async function attemptsOf(
  home: DataHome,
  lock: ExperimentLock,
  engine: ReturnType<typeof createEngine>,
  look: ((attempts: number) => void) | null,
): Promise<AttemptRecord[]> {
  while (true) {
    const live = await engine.live(lock);
    if (live !== null && live.run !== 'running') break;
    look?.(
      readRecordLines(experimentDirectory(home, lock.id)).filter(({ text }) => text.includes('"kind":"attempt"'))
        .length,
    );
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return readRecords(experimentDirectory(home, lock.id)).filter((record) => record.kind === 'attempt');
}
