import { buildStatus } from '../report/build-status.ts';
import type { Status } from '../report/status.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../schema/record.ts';
import type { Engine, LiveState, ServiceState } from '../services/engine.ts';
import { experimentDirectory } from '../services/experiment-directory.ts';
import { readRecords } from '../services/experiment-records.ts';
import type { CommandContext } from './context.ts';

/** One look at an experiment. */
export interface Look {
  readonly status: Status;
  readonly records: readonly ExperimentRecord[];
  readonly live: LiveState | null;
  readonly services: readonly ServiceState[];
}

/** Ask everybody who knows something: records, workflow, ledger, services. Whoever is away is left out. */
export async function readStatus(context: CommandContext, engine: Engine, lock: ExperimentLock): Promise<Look> {
  const { dependencies } = context;
  const [live, usage, services] = await Promise.all([
    engine.live(lock),
    dependencies.usage(engine.home, lock),
    engine.services(),
  ]);
  const records = readRecords(experimentDirectory(engine.home, lock.id));
  const status = buildStatus({ lock, records, live, usage, services, now: dependencies.clock() });
  return { status, records, live, services };
}
