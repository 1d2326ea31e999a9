/** Millionths of a dollar as dollars: two decimals from a dollar on, four below, six where four would show nothing. */
export function moneyText(microUsd: number): string {
  const dollars = microUsd / 1e6;
  if (microUsd === 0) return '$0';
  if (dollars >= 0.9995) return `$${grouped(dollars.toFixed(2))}`;
  return dollars >= 0.000_95 ? `$${dollars.toFixed(4)}` : `$${dollars.toFixed(6)}`;
}

/** Thousands apart: `12,345.60`. */
function grouped(amount: string): string {
  return amount.replaceAll(/\B(?=(\d{3})+\.)/g, ',');
}
