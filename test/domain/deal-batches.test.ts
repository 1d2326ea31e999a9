import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealBatches } from '../../src/domain/deal-batches.ts';
import { TaskId } from '../../src/schema/ids.ts';
import type { Modality } from '../../src/schema/splits.ts';

const modalities: readonly Modality[] = ['presentation', 'document', 'spreadsheet'];
const tasks = fc.uniqueArray(
  fc.record({
    taskId: fc.stringMatching(/^p\/[a-z0-9]{1,6}$/).map((text) => TaskId.parse(text)),
    modality: fc.constantFrom(...modalities),
  }),
  { selector: ({ taskId }) => taskId, maxLength: 40 },
);

describe('dealBatches', () => {
  it('deals every task once', () => {
    fc.assert(
      fc.property(tasks, (given) => {
        expect(dealBatches(given, 3).flat().toSorted()).toEqual(given.map(({ taskId }) => taskId).toSorted());
      }),
    );
  });

  it('makes batches that differ by at most one task, in all and in each modality', () => {
    fc.assert(
      fc.property(tasks, (given) => {
        const batches = dealBatches(given, 3);
        for (const wanted of [null, ...modalities]) {
          const ids = new Set(
            given.filter(({ modality }) => wanted === null || modality === wanted).map(({ taskId }) => taskId),
          );
          const sizes = batches.map((batch) => batch.filter((id) => ids.has(id)).length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
          expect(Math.min(...sizes)).toBe(Math.floor(ids.size / 3));
        }
      }),
    );
  });

  it('does not depend on the order in which tasks are given', () => {
    fc.assert(
      fc.property(tasks, (given) => {
        expect(dealBatches(given.toReversed(), 3)).toEqual(dealBatches(given, 3));
      }),
    );
  });

  it('gives three batches of thirty with ten of each modality for the ninety tasks of the protocol', () => {
    const ninety = modalities.flatMap((modality) =>
      Array.from({ length: 30 }, (_, index) => ({ taskId: TaskId.parse(`p/${modality}-${index}`), modality })),
    );
    const batches = dealBatches(ninety, 3);
    expect(
      batches.map((batch) => modalities.map((modality) => batch.filter((id) => id.includes(modality)).length)),
    ).toEqual([
      [10, 10, 10],
      [10, 10, 10],
      [10, 10, 10],
    ]);
  });

  it('puts the tasks of a batch in id order', () => {
    const [batch] = dealBatches(
      [
        { taskId: TaskId.parse('p/b'), modality: 'document' },
        { taskId: TaskId.parse('p/a'), modality: 'presentation' },
      ],
      1,
    );
    expect(batch).toEqual(['p/a', 'p/b']);
  });
});
