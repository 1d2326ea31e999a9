import { codeUnitOrder } from './code-unit-order.ts';

/**
 * One text for equal JSON values: keys in code-unit order, no blanks, `undefined` members left out.
 * Throws on what JSON would change silently: NaN, infinities, functions, Map, Set, Date, cycles (by depth).
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > 64) throw new Error('canonical JSON: nested deeper than 64');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('canonical JSON: a number is not finite');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && Object.prototype.toString.call(value) === '[object Object]') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([left], [right]) => codeUnitOrder(left, right))
      .map(([key, member]) => `${JSON.stringify(key)}:${write(member, depth + 1)}`);
    return `{${members.join(',')}}`;
  }
  throw new Error(`canonical JSON: ${Object.prototype.toString.call(value)} is not JSON`);
}
