import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptRecord } from '../src/schema/record.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { createEngine } from '../src/services/create-engine.ts';
import type { DataHome } from '../src/services/data-home/data-home.ts';
import { experimentDirectory } from '../src/services/data-home/experiment-directory.ts';
import { readRecords } from '../src/services/data-home/read-records.ts';
import { freezeExperiment } from '../src/services/freeze/freeze-experiment.ts';
import { readPidFile } from '../src/services/processes/pid-file.ts';
import type { ServiceName } from '../src/services/processes/service-specification.ts';
import { storeExperiment } from '../src/services/freeze/store-experiment.ts';

const ticksPerSecond = 100;

/** One experiment with the stub harness: its records, the time between its first and last record, the services' CPU time. */
export interface StubPass {
  readonly attempts: readonly AttemptRecord[];
  readonly wallMs: number;
  readonly cpuMs: Readonly<Record<ServiceName, number>>;
}

/** Runs the experiment of `file` on services that are up, as a new experiment, to its end. */
export async function runStubPass(home: DataHome, file: string): Promise<StubPass> {
  const engine = createEngine(home, process.env);
  const frozen = await freezeExperiment(file, home, process.env, () => undefined);
  const { lock } = await storeExperiment(home, frozen, async () => false, true);
  const before = cpuOfServices(home);
  await engine.start(lock);
  const attempts = await attemptsOf(home, lock, engine);
  await engine.close();
  const after = cpuOfServices(home);
  const times = attempts.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b);
  const wallMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    attempts,
    wallMs,
    cpuMs: {
      temporal: after.temporal - before.temporal,
      gateway: after.gateway - before.gateway,
      worker: after.worker - before.worker,
    },
  };
}

async function attemptsOf(
  home: DataHome,
  lock: ExperimentLock,
  engine: ReturnType<typeof createEngine>,
): Promise<AttemptRecord[]> {
  while (true) {
    const live = await engine.live(lock);
    if (live !== null && live.run !== 'running') break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return readRecords(experimentDirectory(home, lock.id)).filter((record) => record.kind === 'attempt');
}

/** CPU time that each service has used so far. */
function cpuOfServices(home: DataHome): Record<ServiceName, number> {
  const used = (name: ServiceName): number => {
    const pid = readPidFile(join(home.run, `${name}.pid`))?.pid;
    if (pid === undefined) return 0;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  };
  return { temporal: used('temporal'), gateway: used('gateway'), worker: used('worker') };
}
