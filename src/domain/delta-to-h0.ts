/** How far `points` are from H0's number; null where H0 has none: a missing number is never zero. */
export function deltaToH0(
  evaluated: readonly { readonly revision: { readonly candidate: number }; readonly points: number }[],
  points: number,
): number | null {
  const h0 = evaluated.find(({ revision }) => revision.candidate === 0);
  return h0 === undefined ? null : points - h0.points;
}
