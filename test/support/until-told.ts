import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';

const pollMs = 20;

/**
 * Resolves once so many signals reached a workflow, every running child was told in turn, and none of them has anything left
 * to decide: whatever happens afterwards happens after the signals.
 */
export async function untilTold(client: WorkflowClient, handle: WorkflowHandle, signals = 1): Promise<void> {
  while (!(await isQuiet(client, handle, signals))) await new Promise((resolve) => setTimeout(resolve, pollMs));
}

async function isQuiet(client: WorkflowClient, handle: WorkflowHandle, signals: number): Promise<boolean> {
  const before = await messages(handle);
  if (before.received < signals || before.open > 0 || before.lastFailed) return false;
  const { raw } = await handle.describe();
  if (raw.pendingWorkflowTask) return false;
  for (const { workflowId } of raw.pendingChildren ?? []) {
    // One that was started after a signal was told by its input.
    if (!(await isQuiet(client, client.getHandle(workflowId ?? ''), 0))) return false;
  }
  return (await messages(handle)).events === before.events;
}

/** The signals in a workflow's history: received, and to others on their way. */
async function messages(handle: WorkflowHandle): Promise<{
  readonly events: number;
  readonly received: number;
  readonly open: number;
  readonly lastFailed: boolean;
}> {
  const events = (await handle.fetchHistory()).events ?? [];
  let received = 0;
  let open = 0;
  let lastFailed = false;
  for (const event of events) {
    if (event.workflowExecutionSignaledEventAttributes) received += 1;
    if (event.signalExternalWorkflowExecutionInitiatedEventAttributes) open += 1;
    if (event.externalWorkflowExecutionSignaledEventAttributes) {
      open -= 1;
      lastFailed = false;
    }
    if (event.signalExternalWorkflowExecutionFailedEventAttributes) {
      open -= 1;
      lastFailed = true;
    }
  }
  return { events: events.length, received, open, lastFailed };
}
