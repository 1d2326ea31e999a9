/** What one attempt draws: mean and standard deviation over those that were made. */
export interface Draw {
  readonly mean: number;
  readonly deviation: number;
}
