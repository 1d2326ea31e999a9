import { expect, it } from 'vitest';
import { partLines } from '../../../src/report/documents/money-lines.ts';
import type { Report, ServedModels } from '../../../src/schema/report.ts';

function linesOf(...models: ServedModels['served']): string[] {
  const served: ServedModels[] = [{ role: 'solver', pinned: 'm', policy: 'record', served: models }];
  return partLines({ served } as Report);
}

it('cache reads, cache writes and reasoning are told apart, summed over the models that served a role', () => {
  expect(
    linesOf(
      { model: 'a', calls: 1, cacheRead: 1000, cacheWrite: 200, reasoning: 30 },
      { model: 'b', calls: 1, cacheRead: 500, cacheWrite: 0, reasoning: 0 },
    ),
  ).toEqual(['parts   solver: 1.5k in read from a prompt cache, 200 in written to one, 30 out were reasoning']);
});

it('a part that no provider told is left out, and so is a role without any', () => {
  expect(linesOf({ model: 'a', calls: 1, cacheRead: 0, cacheWrite: 0, reasoning: 7 })).toEqual([
    'parts   solver: 7 out were reasoning',
  ]);
  expect(linesOf({ model: 'a', calls: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 })).toEqual([]);
  expect(linesOf({ model: 'a', calls: 1 })).toEqual([]);
});
