import { CancellationScope, CancelledFailure, condition } from '@temporalio/workflow';
import type { Steering } from './steering.ts';

/**
 * Run `work` for each index from `from` up to `to`, as many at once as there are lanes and nothing new while paused. The
 * first failure, or a cancellation, cancels what is in flight; settles when nothing is in flight any more.
 */
export async function runInLanes(
  steering: Steering,
  from: number,
  to: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  const scope = new CancellationScope();
  let running = 0;
  let failure: { readonly error: unknown } | null = null;
  const launch = async (index: number): Promise<void> => {
    running++;
    try {
      await scope.run(() => work(index));
    } catch (error) {
      failure ??= { error };
      scope.cancel();
    } finally {
      running--;
    }
  };
  const inFlight: Promise<void>[] = [];
  try {
    for (let index = from; index < to; index++) {
      await condition(() => failure !== null || (!steering.paused && running < steering.lanes));
      if (failure !== null) break;
      inFlight.push(launch(index));
    }
  } finally {
    await CancellationScope.nonCancellable(() => Promise.all(inFlight));
  }
  throwIfFailed(failure);
}

/** What was in flight may end in any way after a cancellation, with a time-out for example: it stays a cancellation. */
function throwIfFailed(failure: { readonly error: unknown } | null): void {
  if (failure === null) return;
  throw CancellationScope.current().consideredCancelled ? new CancelledFailure('cancelled') : failure.error;
}
