const PRIME = 0x01000193;

/** 16 hex digits that depend on `text` alone (two FNV-1a passes); names things, protects nothing. */
export function stableHash(text: string): string {
  return fnv1a(text, 0x811c9dc5) + fnv1a(text, 0x2f0b4c47);
}

function fnv1a(text: string, basis: number): string {
  let hash = basis;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
