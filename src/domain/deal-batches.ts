import type { TaskId } from '../schema/ids.ts';
import type { Modality } from '../schema/splits.ts';
import { codeUnitOrder } from './code-unit-order.ts';

/**
 * Deals tasks into `count` batches like cards: sorted by modality, then id, one to each batch in turn. Batch sizes
 * differ by at most one, so do the counts of each modality, and a modality with at least `count` tasks is in every
 * batch. Within a batch tasks stand in id order. Fewer tasks than batches leave the last batches empty.
 */
export function dealBatches(
  tasks: readonly { readonly taskId: TaskId; readonly modality: Modality }[],
  count: number,
): TaskId[][] {
  const batches: TaskId[][] = Array.from({ length: count }, () => []);
  tasks
    .toSorted((left, right) => codeUnitOrder(left.modality, right.modality) || codeUnitOrder(left.taskId, right.taskId))
    .forEach(({ taskId }, index) => batches[index % count]?.push(taskId));
  return batches.map((batch) => batch.toSorted(codeUnitOrder));
}
