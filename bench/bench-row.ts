/** One measured figure beside its target; null = no target, told for comparison. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: number | null;
  readonly better: 'lower' | 'higher';
}
