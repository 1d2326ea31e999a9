import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pauseAfter } from '../../src/gateway/pause-after.ts';

test.each([
  [0, 0],
  [1, 0],
  [5, 0],
  [6, 6],
  [400, 400],
])('after a request that cost the gateway %d ms the epoch waits %d ms', (cost, pause) => {
  expect(pauseAfter(cost)).toBe(pause);
});

test('however costly its requests are, an epoch leaves its neighbours at least half of the time', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 5.01, max: 10_000, noNaN: true }), { minLength: 1 }), (costs) => {
      const busy = costs.reduce((sum, cost) => sum + cost, 0);
      const left = costs.reduce((sum, cost) => sum + pauseAfter(cost), 0);
      expect(left).toBeGreaterThanOrEqual(busy);
    }),
  );
});
