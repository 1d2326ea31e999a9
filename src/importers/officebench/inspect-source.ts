import { basename, extname } from 'node:path';
import type { Sha256 } from '../../schema/ids.ts';
import { requiredFiles } from './evaluated-paths.ts';
import type { CellValue } from './key-oracle.ts';
import type { OfficeBenchSource, SourceSubtask, SourceTask } from './read-source.ts';
import { type JudgePrograms, replay } from './replay.ts';

/** What Python saw in the source's office files, by their digests. */
export interface Inspection {
  /** Characters of text in each distinct input. */
  readonly characters: ReadonlyMap<Sha256, number>;
  /** Which of the words asked about stand in each distinct input. */
  readonly words: ReadonlyMap<Sha256, readonly string[]>;
  /** Rows of each reference workbook that holds only plain values. */
  readonly rows: ReadonlyMap<Sha256, CellValue[][]>;
}

/** Reads the text of every distinct input, and every reference workbook, once. */
export async function inspectSource(programs: JudgePrograms, source: OfficeBenchSource): Promise<Inspection> {
  const inputs = new Map<Sha256, { path: string; words: Set<string> }>();
  const workbooks = new Map<string, Sha256>();
  for (const task of source.tasks) {
    const words = task.subtasks.flatMap((subtask) => unnamedStems(task, subtask));
    for (const { sha256, absolute } of task.testbed.files) {
      const known = inputs.get(sha256) ?? { path: absolute, words: new Set<string>() };
      for (const word of words) known.words.add(word);
      inputs.set(sha256, known);
    }
    for (const { sha256, absolute, path } of task.references.files) {
      if (extname(path) === '.xlsx') workbooks.set(absolute, sha256);
    }
  }
  const answer = await replay(programs, {
    inputs: [...inputs.values()].map(({ path, words }) => ({ path, words: [...words] })),
    workbooks: [...workbooks.keys()],
    tasks: [],
  });
  const digests = new Map([...inputs].map(([sha256, { path }]) => [path, sha256]));
  const byDigest = <Value>(pairs: readonly (readonly [Sha256 | undefined, Value | null])[]) =>
    new Map(
      pairs.flatMap(([key, value]): [Sha256, Value][] => (key === undefined || value === null ? [] : [[key, value]])),
    );
  return {
    characters: byDigest(answer.inputs.map((one) => [digests.get(one.path), one.characters])),
    words: byDigest(answer.inputs.map((one) => [digests.get(one.path), one.found])),
    rows: byDigest(answer.workbooks.map((one) => [workbooks.get(one.path), one.rows])),
  };
}

/** Stems of required files that neither the text nor an input's name gives away. */
function unnamedStems(task: SourceTask, { subtask, items }: SourceSubtask): string[] {
  const inputs = new Set(task.testbed.files.map(({ path }) => path));
  return requiredFiles(items)
    .filter((path) => !inputs.has(path))
    .map(stem)
    .filter(
      (word) =>
        word.length > 1 && !subtask.task.toLowerCase().includes(word.toLowerCase()) && word !== subtask.username,
    );
}

/** A path's file name without its extension. */
export function stem(path: string): string {
  return basename(path, extname(path));
}
