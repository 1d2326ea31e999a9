import { AnnealError, type SourcePosition } from '../../domain/errors.ts';
import type { Split, Splits } from '../../schema/splits.ts';
import type { TaskId } from '../../schema/ids.ts';
import type { TaskDirectory } from '../../adapters/task-directory.ts';
import type { YamlSource } from './read-yaml.ts';

const notSpent = 'nothing was started, 0 tokens spent';

/** In the order of the protocol. */
export const splitNames = ['feedback', 'selection', 'final-in-domain', 'final-cross-office'] as const;

/** One line of a splits file. */
export interface SplitEntry {
  readonly split: Split;
  readonly task: TaskId;
  readonly at: SourcePosition;
}

/**
 * The entries of a splits file, each with its place.
 * @throws AnnealError ANL-1101 for a task that stands twice.
 */
export function splitEntries(source: YamlSource<Splits>): SplitEntry[] {
  const entries = splitNames.flatMap((split) =>
    source.value[split].map((task, index): SplitEntry => ({ split, task, at: source.position([split, index]) })),
  );
  const first = new Map<string, SplitEntry>();
  for (const entry of entries) {
    const earlier = first.get(entry.task);
    if (earlier !== undefined) {
      throw new AnnealError(
        'ANL-1101',
        { task: entry.task, where: twice(earlier, entry) },
        { at: [earlier.at, entry.at], notSpent },
      );
    }
    first.set(entry.task, entry);
  }
  return entries;
}

function twice({ split }: SplitEntry, other: SplitEntry): string {
  return split === other.split ? `listed twice in ${split}` : `in two splits, ${split} and ${other.split}`;
}

/**
 * Check what tasks are against where they stand. `inputs` are the digests of a task's input files.
 * @throws AnnealError ANL-1103 a cross-office task outside its final, ANL-1104 another task inside it, ANL-1102 a leakage
 * group in two splits, ANL-1105 an input file in two splits.
 */
export function checkSplits(
  entries: readonly SplitEntry[],
  tasks: ReadonlyMap<string, TaskDirectory>,
  inputs: ReadonlyMap<string, readonly string[]>,
): void {
  const groups = new Map<string, SplitEntry>();
  const files = new Map<string, SplitEntry>();
  for (const entry of entries) {
    const metadata = tasks.get(entry.task)?.toml.metadata;
    if (metadata === undefined) continue;
    const { modality, leakage_group: group } = metadata;
    if (modality === 'cross-office' && entry.split !== 'final-cross-office') {
      throw new AnnealError('ANL-1103', { task: entry.task, split: entry.split }, { at: [entry.at], notSpent });
    }
    if (modality !== 'cross-office' && entry.split === 'final-cross-office') {
      throw new AnnealError(
        'ANL-1104',
        { task: entry.task, modality, split: entry.split },
        { at: [entry.at], notSpent },
      );
    }
    const other = groups.get(group);
    if (other !== undefined && other.split !== entry.split) {
      throw new AnnealError(
        'ANL-1102',
        { group, task: entry.task, split: other.split },
        {
          at: [other.at, entry.at],
          why: `a group must stay within one split: ${other.split} and ${entry.split}`,
          notSpent,
        },
      );
    }
    groups.set(group, entry);
    for (const digest of inputs.get(entry.task) ?? []) {
      const holder = files.get(digest);
      if (holder !== undefined && holder.split !== entry.split) {
        throw new AnnealError(
          'ANL-1105',
          { task: entry.task },
          { at: [holder.at, entry.at], why: `sha256:${digest.slice(0, 12)}…`, notSpent },
        );
      }
      files.set(digest, entry);
    }
  }
}
