import type { AnnealError } from '../domain/errors.ts';
import { buildStatus } from '../report/status/build-status.ts';
import { holdsOf } from '../report/status/holds.ts';
import { progressOf } from '../report/status/progress.ts';
import type { Status } from '../report/status/status.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../schema/record.ts';
import type { Engine, LiveState, ServiceState } from '../services/engine.ts';
import { experimentDirectory } from '../services/data-home/experiment-directory.ts';
import { readRecords } from '../services/data-home/read-records.ts';
import type { CommandContext } from './context.ts';

/** One look at an experiment. */
export interface Look {
  readonly status: Status;
  /** What it waits for, as errors; empty while it goes on. */
  readonly holds: readonly AnnealError[];
  readonly records: readonly ExperimentRecord[];
  readonly live: LiveState | null;
  readonly services: readonly ServiceState[];
  /** Why the workflow could not be asked, null where it answered or is not there. */
  readonly trouble: unknown;
}

/** Ask everybody who knows something: records, workflow, ledger, services. Whoever is away is left out. */
export async function readStatus(context: CommandContext, engine: Engine, lock: ExperimentLock): Promise<Look> {
  const { dependencies } = context;
  let trouble: unknown = null;
  const [live, ledger, services] = await Promise.all([
    engine.live(lock).catch((error: unknown) => {
      trouble = error;
      return null;
    }),
    dependencies.ledger(engine.home, lock),
    engine.services(),
  ]);
  const records = readRecords(experimentDirectory(engine.home, lock.id));
  const status = buildStatus({
    lock,
    records,
    live,
    usage: ledger?.usage ?? null,
    leases: ledger?.leases ?? [],
    services,
    now: dependencies.clock(),
  });
  const waits = status.state === 'paused' ? holdsOf(lock, records, progressOf(records), ledger?.usage ?? null) : [];
  const holds = waits.map(({ error }) => error);
  return { status, holds, records, live, services, trouble };
}
