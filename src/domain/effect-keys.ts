/** Ledger keys of one attempt's effects. */
export const attemptEffects = {
  /** The outcome that stands: the first that is not infrastructure. */
  canonical: (key: string): string => `canonical:${key}`,
  run: (key: string, epoch: number): string => `run:${key}:${epoch}`,
  judge: (key: string, epoch: number): string => `judge:${key}:${epoch}`,
  /** `judgement` counts from 2. */
  judgeAgain: (key: string, epoch: number, judgement: number): string => `judge:${key}:${epoch}:${judgement}`,
  recorded: (key: string, epoch: number): string => `recorded:${key}:${epoch}`,
} as const;

/** Ledger key of what a model call of an updater gave, by the call's key. */
export function callEffect(key: string): string {
  return `call:${key}`;
}

/** Ledger key of the digests that final attempts may be made from. */
export function frozenEffect(experimentId: string): string {
  return `frozen:${experimentId}`;
}
