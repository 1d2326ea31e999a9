import { CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';

/**
 * What `run` gave in time; or that the deadline cancelled it, with what it still brought to an end then, null for nothing.
 * A cancellation from outside is thrown on.
 */
export type Timely<Value> =
  | { readonly kind: 'in-time'; readonly value: Value }
  | { readonly kind: 'deadline'; readonly value: Value | null };

/** Run until an absolute deadline in milliseconds; at the deadline everything inside is cancelled and awaited. */
export async function withDeadline<Value>(deadlineMs: number, run: () => Promise<Value>): Promise<Timely<Value>> {
  const left = deadlineMs - Date.now();
  if (left <= 0) return { kind: 'deadline', value: null };
  const scope = new CancellationScope({ cancellable: true, timeout: left });
  try {
    const value = await scope.run(run);
    if (isOver()) throw new CancelledFailure('cancelled');
    return { kind: scope.consideredCancelled ? 'deadline' : 'in-time', value };
  } catch (error) {
    if (isCancellation(error) && !isOver() && scope.consideredCancelled) return { kind: 'deadline', value: null };
    throw error;
  }
}

/** Whether whoever asks was cancelled, by the deadline or from outside. */
export function isOver(): boolean {
  return CancellationScope.current().consideredCancelled;
}
