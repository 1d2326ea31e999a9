import type { HarnessDigest } from '../schema/ids.ts';

/** One revision of an arm, H0 first, then candidates in the order of their submission. */
export interface SelectionEntry {
  readonly revision: HarnessDigest;
  /** 0 = H0, n = candidate n. */
  readonly candidate: number;
  /** Exact mean on selection, in points; null when not evaluated (or below its coverage floor). */
  readonly exactPoints: number | null;
}

type Champion =
  | {
      readonly kind: 'champion';
      readonly revision: HarnessDigest;
      readonly candidate: number;
      readonly exactPoints: number;
    }
  | { readonly kind: 'none'; readonly why: string };

/** The two revisions of an arm that go to the finals, or why there is none. */
export interface Champions {
  /** Best on selection with H0 in the running. */
  readonly gated: Champion;
  /** Best among candidates, even where H0 is better. */
  readonly bestEvolved: Champion;
}

/**
 * Named from exact scores; a tie goes to the earlier revision. A repeat of an earlier revision's bytes is that
 * earlier revision, so it is no candidate of its own.
 */
export function nameChampions(entries: readonly SelectionEntry[]): Champions {
  const distinct = entries.filter(
    (entry, index) => entries.findIndex(({ revision }) => revision === entry.revision) === index,
  );
  const candidates = distinct.filter(({ candidate }) => candidate > 0);
  const h0 = distinct.find(({ candidate }) => candidate === 0);
  return {
    gated:
      h0?.exactPoints === null || h0 === undefined
        ? { kind: 'none', why: 'H0 has no selection number' }
        : best(distinct, 'no revision has a selection number'),
    bestEvolved: best(candidates, candidates.length === 0 ? 'no candidate' : 'no candidate was evaluated'),
  };
}

function best(entries: readonly SelectionEntry[], otherwise: string): Champion {
  let champion: Champion = { kind: 'none', why: otherwise };
  for (const { revision, candidate, exactPoints } of entries) {
    if (exactPoints === null) continue;
    if (champion.kind === 'none' || exactPoints > champion.exactPoints) {
      champion = { kind: 'champion', revision, candidate, exactPoints };
    }
  }
  return champion;
}
