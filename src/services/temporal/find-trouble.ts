import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { workflowIds } from '../../../workflows/workflow-ids.ts';
import { oneLine } from '../../domain/one-line.ts';
import type { ExperimentId } from '../../schema/ids.ts';

/** Tries after which a failing effect is worth telling. */
const troublingTries = 3;

/** An effect that keeps failing and is tried again: what it said last. */
export interface Trouble {
  readonly what: string;
  /** What to do about it, null where its error names nothing. */
  readonly next: string | null;
  readonly tries: number;
}

/** The effect of a running experiment that failed most often in a row, null when all goes well. */
export async function findTrouble(client: Client, experimentId: ExperimentId): Promise<Trouble | null> {
  const prefix = workflowIds.experiment(experimentId);
  let worst: Trouble | null = null;
  const running = client.workflow.list({ query: `WorkflowId STARTS_WITH "${prefix}" AND ExecutionStatus = "Running"` });
  for await (const { workflowId } of running) {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    for (const { attempt, activityType, lastFailure } of raw.pendingActivities ?? []) {
      const tries = attempt ?? 0;
      if (tries < troublingTries || tries <= (worst?.tries ?? 0)) continue;
      worst = {
        what: `${activityType?.name ?? 'an effect'}: ${oneLine(lastFailure?.message ?? 'no answer')}`.slice(0, 300),
        next: nextOf(lastFailure?.applicationFailureInfo?.details?.payloads?.[0]?.data),
        tries,
      };
    }
  }
  return worst;
}

/** The next command of an error document, as `typedFailures` sends it along. */
function nextOf(details: Uint8Array | null | undefined): string | null {
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(details ?? new Uint8Array()));
    const { next } = z.object({ next: z.string() }).parse(document);
    return oneLine(next).slice(0, 200);
  } catch {
    return null;
  }
}
