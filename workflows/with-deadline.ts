import { CancellationScope, isCancellation } from '@temporalio/workflow';

/** What `run` gave, or that the deadline cancelled it. A cancellation from outside is thrown on. */
export type Timely<Value> = { readonly kind: 'in-time'; readonly value: Value } | { readonly kind: 'deadline' };

/** Run until an absolute deadline in milliseconds; at the deadline everything inside is cancelled and awaited. */
export async function withDeadline<Value>(deadlineMs: number, run: () => Promise<Value>): Promise<Timely<Value>> {
  const left = deadlineMs - Date.now();
  if (left <= 0) return { kind: 'deadline' };
  const scope = new CancellationScope({ cancellable: true, timeout: left });
  try {
    return { kind: 'in-time', value: await scope.run(run) };
  } catch (error) {
    const outside = CancellationScope.current().consideredCancelled;
    if (isCancellation(error) && !outside && scope.consideredCancelled) return { kind: 'deadline' };
    throw error;
  }
}
