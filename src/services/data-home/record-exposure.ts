import { GatewayClient } from '../../adapters/gateway-client.ts';
import { exposureEvent } from '../../schema/exposure-event.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { recordStamp } from '../../schema/record-stamp.ts';
import type { DecisionRecord } from '../../schema/record.ts';
import type { DataHome } from './data-home.ts';

/** A sealed record that a person opened. */
export interface Exposure {
  readonly attempt: string;
  readonly epoch: number;
  /** `selection`, `final-in-domain` or `final-cross-office`. */
  readonly split: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Append an opening to the durable record; every one counts. Its line in the files follows with the worker's next record.
 * @throws AnnealError ANL-5001 when the gateway cannot be reached: nothing may be shown then.
 */
export async function recordExposure(home: DataHome, lock: ExperimentLock, exposure: Exposure): Promise<void> {
  const { attempt, epoch, split, now } = exposure;
  const record: DecisionRecord = {
    kind: 'decision',
    ...recordStamp(lock, now),
    arm: null,
    event: exposureEvent,
    reason: `a person opened a sealed ${split} attempt before the experiment was closed`,
    figures: { attempt: attempt.slice(0, 12), epoch, split },
  };
  const gateway = new GatewayClient(home.controlSocket);
  try {
    await gateway.appendRecord({
      experimentId: lock.id,
      stream: 'open',
      key: `decision/${exposureEvent}/${attempt}/${epoch}/${now}`,
      body: record,
    });
  } finally {
    await gateway.disconnect();
  }
}
