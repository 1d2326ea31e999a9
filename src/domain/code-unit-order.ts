/** Order by UTF-16 code units: the same on every machine, unlike any order that asks the locale. */
export function codeUnitOrder(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
