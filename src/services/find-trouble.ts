import type { Client } from '@temporalio/client';
import { workflowIds } from '../../workflows/workflow-ids.ts';
import { plainText } from '../domain/plain-text.ts';
import type { ExperimentId } from '../schema/ids.ts';

/** Tries after which a failing effect is worth telling. */
const troublingTries = 3;

/** An effect that keeps failing and is tried again: what it said last. */
export interface Trouble {
  readonly what: string;
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
        tries,
      };
    }
  }
  return worst;
}

function oneLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ').trim();
}
