import type { Draw } from '../schema/draw.ts';

/** Ninetieth percentile of the standard normal distribution. */
const z90 = 1.2816;

/** Mean and sample deviation; of a single value the deviation is taken to be as large as itself. null for none. */
export function drawOf(values: readonly number[]): Draw | null {
  const [first] = values;
  if (first === undefined) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 1) return { mean, deviation: mean };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) };
}

/** What `count` attempts together draw at the ninetieth percentile, as sums of independent draws do; rounded up. */
export function likelyTotal(count: number, { mean, deviation }: Draw): number {
  return count === 0 ? 0 : Math.ceil(count * mean + z90 * deviation * Math.sqrt(count));
}
