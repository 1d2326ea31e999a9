import { canonicalJson } from './canonical-json.ts';

/** All that decides an attempt's result. Two attempts with equal parts are one attempt. */
export interface ReuseKeyParts {
  readonly experiment: string;
  readonly revision: string;
  readonly task: string;
  readonly judge: string;
  readonly runner: string;
  readonly environment: string;
  readonly model: string;
  readonly sampling: string;
  readonly budget: string;
  readonly seed: number;
  readonly replicate: number;
}

/** Readable canonical text of the key; hash it where a short key is needed. */
export function reuseKey(parts: ReuseKeyParts): string {
  return canonicalJson(parts);
}

export type ReuseVerdict =
  | { readonly kind: 'reuse' }
  | { readonly kind: 'rerun'; readonly reason: string; readonly differs: readonly (keyof ReuseKeyParts)[] };

/** Whether a recorded attempt may stand for the one asked for; on any difference it is run again, and the reason names it. */
export function decideReuse(wanted: ReuseKeyParts, recorded: ReuseKeyParts | null): ReuseVerdict {
  if (recorded === null) return { kind: 'rerun', reason: 'no record', differs: [] };
  const differs = (Object.keys(wanted) as (keyof ReuseKeyParts)[]).filter((part) => wanted[part] !== recorded[part]);
  if (differs.length === 0) return { kind: 'reuse' };
  const reason = differs
    .map((part) => `${part} differs (${String(wanted[part])} ≠ ${String(recorded[part])})`)
    .join('; ');
  return { kind: 'rerun', reason, differs };
}
