/**
 * The number an arm receives: exact points rounded to the nearest multiple of `step`, in points, halves away
 * from zero. The exact number is stored and decides; the disclosed one is all that an updater sees.
 */
export function disclose(exactPoints: number, step: number): number {
  const steps = Math.abs(exactPoints) / step;
  // 1e-9 lifts halves that floating point put just below, such as 0.15 / 0.1.
  const rounded = Math.floor(steps + 0.5 + 1e-9) * step;
  const magnitude = Number(rounded.toFixed(6));
  return exactPoints < 0 && magnitude > 0 ? -magnitude : magnitude;
}
