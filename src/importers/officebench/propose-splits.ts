import { createHash } from 'node:crypto';
import { codeUnitOrder } from '../../domain/code-unit-order.ts';
import type { TaskId } from '../../schema/ids.ts';
import type { ImportedTask } from '../../schema/import-report.ts';
import type { Modality, Split, Splits } from '../../schema/splits.ts';

/** Tasks wanted of each single modality in a split, and of cross-office tasks in their final. */
export interface SplitSizes {
  readonly feedback: number;
  readonly selection: number;
  readonly final: number;
  readonly crossOffice: number;
}

/** What an import proposes: so many of documents, and as many of spreadsheets. */
export const proposedSizes: SplitSizes = { feedback: 6, selection: 3, final: 5, crossOffice: 10 };

const modalities = ['document', 'spreadsheet'] as const satisfies readonly Modality[];
const singleSplits = ['feedback', 'selection', 'final-in-domain'] as const satisfies readonly Split[];
type SingleSplit = (typeof singleSplits)[number];

/** What makes a task unfit for a model that only reads text, or for a claim. */
const unfit = new Set(['needs-vision', 'answer-in-file-name', 'named-file-absent']);

const restarts = 16;

/**
 * Chooses tasks for the four splits of one experiment. Leakage groups stay within one split; a group with cross-office
 * members serves the cross-office final or gives those members up, whichever loses fewer tasks. What remains is placed by
 * descent from seeded starts, towards full splits, then many groups, then few weak keys. The same report and seed give the
 * same splits.
 */
export function proposeSplits(tasks: readonly ImportedTask[], sizes: SplitSizes, seed: number): Splits {
  const ordered = tasks.filter(fit).toSorted((one, other) => codeUnitOrder(one.id, other.id));
  const groups = grouped(ordered, ({ leakageGroup }) => leakageGroup);
  const cross: ImportedTask[][] = [];
  const single: ImportedTask[][] = [];
  for (const id of [...groups.keys()].toSorted(codeUnitOrder)) {
    const members = groups.get(id) ?? [];
    const [across, within] = [members.filter(isCross), members.filter((task) => !isCross(task))];
    if (across.length >= within.length) cross.push(across);
    else single.push(within);
  }
  const starts = [...Array.from({ length: restarts }).keys()].map((restart) => descend(single, sizes, seed, restart));
  const best = starts.reduce((low, next) => (cost(single, next, sizes) < cost(single, low, sizes) ? next : low));
  const ids = (split: SingleSplit) =>
    modalities.flatMap((modality) => chosen(single, best, split, modality, sizes)).map(idOf);
  return {
    version: 1,
    name: 'officebench',
    feedback: ids('feedback').toSorted(codeUnitOrder),
    selection: ids('selection').toSorted(codeUnitOrder),
    'final-in-domain': ids('final-in-domain').toSorted(codeUnitOrder),
    'final-cross-office': dealt(cross, sizes.crossOffice).map(idOf).toSorted(codeUnitOrder),
  };
}

function grouped(tasks: readonly ImportedTask[], key: (task: ImportedTask) => string): Map<string, ImportedTask[]> {
  const groups = new Map<string, ImportedTask[]>();
  for (const task of tasks) groups.set(key(task), [...(groups.get(key(task)) ?? []), task]);
  return groups;
}

function fit({ listed, findings }: ImportedTask): boolean {
  return listed && !findings.some(({ kind }) => unfit.has(kind));
}

function isCross({ modality }: ImportedTask): boolean {
  return modality === 'cross-office';
}

function idOf({ id }: ImportedTask): TaskId {
  return id;
}

/** For each group the split it serves. */
type Placement = readonly SingleSplit[];

function descend(groups: readonly ImportedTask[][], sizes: SplitSizes, seed: number, restart: number): Placement {
  const start = groups.map((_, index) => {
    const digest = createHash('sha256').update(`${seed} ${restart} ${index}`).digest();
    return singleSplits[digest.readUInt32BE(0) % singleSplits.length] ?? 'feedback';
  });
  let placement: Placement = start;
  for (;;) {
    const better = improved(groups, placement, sizes);
    if (better === null) return placement;
    placement = better;
  }
}

/** The first placement that differs by one group, or by two that change places, and costs less; null if there is none. */
function improved(groups: readonly ImportedTask[][], placement: Placement, sizes: SplitSizes): Placement | null {
  const before = cost(groups, placement, sizes);
  for (const [index, here] of placement.entries()) {
    for (const split of singleSplits.filter((one) => one !== here)) {
      const moved = placement.with(index, split);
      if (cost(groups, moved, sizes) < before) return moved;
      for (const [other, there] of placement.entries()) {
        if (there !== split) continue;
        const swapped = moved.with(other, here);
        if (cost(groups, swapped, sizes) < before) return swapped;
      }
    }
  }
  return null;
}

function cost(groups: readonly ImportedTask[][], placement: Placement, sizes: SplitSizes): number {
  let total = 0;
  for (const split of singleSplits) {
    for (const modality of modalities) {
      const taken = chosen(groups, placement, split, modality, sizes);
      const distinct = new Set(taken.map(({ leakageGroup }) => leakageGroup)).size;
      total +=
        100 * (wanted(split, sizes) - taken.length) + 3 * (taken.length - distinct) + taken.filter(isWeak).length;
    }
  }
  return total;
}

function chosen(
  groups: readonly ImportedTask[][],
  placement: Placement,
  split: SingleSplit,
  modality: Modality,
  sizes: SplitSizes,
): ImportedTask[] {
  const placed = groups.filter((_, index) => placement[index] === split);
  return dealt(
    placed.map((group) => group.filter((task) => task.modality === modality)),
    wanted(split, sizes),
  );
}

function wanted(split: SingleSplit, sizes: SplitSizes): number {
  return split === 'final-in-domain' ? sizes.final : sizes[split];
}

/** One task of each group in turn, until there are enough; within a group one of each upstream task in turn. */
function dealt(groups: readonly ImportedTask[][], count: number): ImportedTask[] {
  const inTurn = (lists: readonly ImportedTask[][]) =>
    lists
      .flatMap((list, position) => list.map((task, round) => ({ task, position, round })))
      .toSorted((a, b) => a.round - b.round || a.position - b.position)
      .map(({ task }) => task);
  const ordered = groups.map((group) => {
    const strongFirst = group.toSorted((a, b) => Number(isWeak(a)) - Number(isWeak(b)));
    return inTurn([...grouped(strongFirst, ({ sourceId }) => sourceId.split('/')[0] ?? sourceId).values()]);
  });
  return inTurn(ordered).slice(0, count);
}

function isWeak({ findings }: ImportedTask): boolean {
  return findings.some(({ kind }) => kind === 'weak-keywords');
}
