import type { MeasuredRevision, Report } from '../../schema/report.ts';

/** One line of the results table: H0, or an arm's champion; champions that are one revision share a line. */
export interface ChampionRow {
  /** null for H0. */
  readonly arm: string | null;
  readonly revision: string;
  /** `gated`, `best evolved`, both, or none for H0. */
  readonly labels: readonly string[];
  readonly claimed: boolean;
  readonly numbers: MeasuredRevision | null;
}

/** Words for the champion labels. */
export const labelWords = { gated: 'gated', bestEvolved: 'best evolved' } as const;

/** H0 first, then each arm's champions in the order gated, best evolved; an arm without any has one empty line. */
export function championRows(report: Report): ChampionRow[] {
  return [
    { arm: null, revision: 'h0', labels: [], claimed: false, numbers: report.baseline },
    ...report.arms.flatMap(({ arm, champions }): ChampionRow[] => {
      if (champions.length === 0) return [{ arm, revision: 'none', labels: [], claimed: false, numbers: null }];
      const distinct = champions.filter(
        ({ digest }, index) => champions.findIndex((other) => other.digest === digest) === index,
      );
      return distinct.map((champion) => {
        const same = champions.filter(({ digest }) => digest === champion.digest);
        return {
          arm,
          revision: champion.revision,
          labels: same.map(({ label }) => labelWords[label]),
          claimed: same.some(({ claimed }) => claimed),
          numbers: champion,
        };
      });
    }),
  ];
}
