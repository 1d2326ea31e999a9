import { setTimeout as sleep } from 'node:timers/promises';
import type { Activities } from '../src/contract/activities.ts';
import type { GatewayPort } from '../src/contract/gateway-port.ts';
import { haltError } from '../src/domain/halt-error.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { Halt } from '../src/schema/halt.ts';
import type { ExperimentId } from '../src/schema/ids.ts';
import type { Role } from '../src/schema/lease.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ExperimentRecord } from '../src/schema/record.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { activitySignal } from './heartbeat.ts';
import type { RecordStore } from './record-store.ts';

const pollMs = 1_000;

/** Wait until a role is asked again: a person resumed the experiment, or the halt ended by itself. Both are recorded. */
export function untilServed(dependencies: ActivityDependencies, records: RecordStore): Activities['untilServed'] {
  const { gateway, experiments } = dependencies;
  return async ({ experimentId, role }) => {
    const lock = await experiments.lock(experimentId);
    const note = noteHold(dependencies, records, lock);
    let held = heldBefore(await records.all(experimentId), role);
    for (; ; await sleep(pollMs, undefined, { signal: activitySignal() })) {
      const halt = await haltOf(gateway, experimentId, role);
      if (held !== null && halt?.since !== held.since) await note(held, 'experiment-released');
      if (halt === null) return;
      if (halt.since !== held?.since) await note(halt, 'experiment-held');
      held = halt;
    }
  };
}

/** The halt that an earlier worker recorded and whose end it did not see, null for none. */
function heldBefore(records: readonly ExperimentRecord[], role: Role): Halt | null {
  const last = records.findLast(
    (record) => record.kind === 'decision' && record.event.startsWith('experiment-') && record.figures['hold'] === role,
  );
  if (last?.kind !== 'decision' || last.event !== 'experiment-held') return null;
  const halt = Halt.safeParse({ ...last.figures, role });
  return halt.success ? halt.data : null;
}

/** What halts a role now, null when nothing does. */
export async function haltOf(
  gateway: Pick<GatewayPort, 'halts'>,
  experimentId: ExperimentId,
  role: Role,
): Promise<Halt | null> {
  const { halts } = await gateway.halts({ experimentId });
  return halts.find((halt) => halt.role === role) ?? null;
}

function noteHold({ clock }: ActivityDependencies, records: RecordStore, lock: ExperimentLock) {
  return async (halt: Halt, event: 'experiment-held' | 'experiment-released'): Promise<void> => {
    const { id: experiment, identity, operational } = lock;
    const { role, kind, setting, since, until, reason } = halt;
    const error = haltError(halt, {
      experiment,
      file: operational.configPath,
      model: identity.models[role],
      timeText: (at) => new Date(at).toISOString(),
    });
    await records.append(lock, 'open', `decision/${event}/${role}/${since}`, {
      kind: 'decision',
      ...recordStamp(lock, clock()),
      arm: null,
      event,
      reason: event === 'experiment-held' ? `${error.code} ${error.message}` : 'the model is asked again',
      figures: { hold: role, kind, setting, since, until, reason },
    });
  };
}
