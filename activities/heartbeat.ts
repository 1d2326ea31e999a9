import { Context, heartbeat } from '@temporalio/activity';

const beatMs = 2_000;

/** Beat every two seconds while `work` is under way. */
export async function withHeartbeat<Value>(work: Promise<Value>): Promise<Value> {
  heartbeat();
  const timer = setInterval(() => heartbeat(), beatMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Aborted when this activity is cancelled, fenced or the worker shuts down. */
export function activitySignal(): AbortSignal {
  return Context.current().cancellationSignal;
}

/**
 * Why this activity was cancelled: only `workflow` means that its work is no longer wanted. An activity that the server does
 * not know any more may have a successor already, which adopts what runs.
 */
export function cancellationKind(): 'workflow' | 'elsewhere' {
  return Context.current().cancellationDetails?.cancelRequested === true ? 'workflow' : 'elsewhere';
}
