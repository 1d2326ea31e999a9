/**
 * Lines of record files in the one order of an experiment's records: that in which the ledger took them in, whatever files
 * they stand in. A line without a number (null) comes first; equal ones keep their place. For audit, reports and screens alike.
 */
export function inRecordOrder<Line extends { readonly seq: number | null }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((left, right) => (left.seq ?? 0) - (right.seq ?? 0));
}
