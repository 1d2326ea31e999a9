/** The nearest-rank percentile: the smallest value that at least `share` (0 to 1) of them do not exceed; null for none. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-9) - 1)] ?? null;
}
