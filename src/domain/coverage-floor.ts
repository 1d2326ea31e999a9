import type { Split } from '../schema/splits.ts';
import type { Aggregate } from './aggregate.ts';

/** Smallest coverage at which a number may select or be claimed, each 0 to 1. */
export interface CoverageFloors {
  readonly selection: number;
  readonly final: number;
}

/** `floor` is a share from 0 to 1, held against scored ÷ planned. */
export type CoverageVerdict =
  | { readonly kind: 'covered' }
  | { readonly kind: 'below_floor'; readonly scored: number; readonly planned: number; readonly floor: number };

/** Whether a pass may select (selection) or be claimed (finals). Feedback has no floor: its partial results are evidence. */
export function checkCoverage(
  split: Split,
  { scored, planned }: Pick<Aggregate, 'scored' | 'planned'>,
  floors: CoverageFloors,
): CoverageVerdict {
  const floor = floorOf(split, floors);
  // A product instead of a quotient: 19 of 20 must meet 0.95 in floating point too.
  return scored >= floor * planned - 1e-9 ? { kind: 'covered' } : { kind: 'below_floor', scored, planned, floor };
}

function floorOf(split: Split, floors: CoverageFloors): number {
  if (split === 'feedback') return 0;
  return split === 'selection' ? floors.selection : floors.final;
}
