import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { AnnealError } from '../../domain/errors.ts';
import type { Sha256 } from '../../schema/ids.ts';
import { type SpecItem, UpstreamSubtask } from '../../schema/officebench.ts';
import { convertItem, UnknownEvaluation } from './convert-evaluation.ts';
import { emptyTree, listTree, sha256, type Tree } from './list-tree.ts';
import { UnsafePath } from './source-path.ts';

/** One instruction of an upstream task with its evaluation; becomes one task of ours. */
export interface SourceSubtask {
  readonly number: number;
  readonly subtask: UpstreamSubtask;
  readonly items: readonly SpecItem[];
  /** Of the subtask's file. */
  readonly sha256: Sha256;
}

/** One `tasks/<A-B>` folder. Its subtasks share the testbed. */
export interface SourceTask {
  readonly id: string;
  readonly testbed: Tree;
  readonly references: Tree;
  readonly subtasks: readonly SourceSubtask[];
}

/** A checkout as it was read, before anything was judged. */
export interface OfficeBenchSource {
  /** The folder that holds `tasks/`. */
  readonly root: string;
  /** By (A, B), numerically. */
  readonly tasks: readonly SourceTask[];
  /** Text of the source's LICENSE file, or null. */
  readonly licence: string | null;
}

const taskName = /^(\d{1,4})-(\d{1,6})$/;
const subtaskName = /^(\d{1,6})\.json$/;

/**
 * Reads an OfficeBench checkout, or its `tasks` folder. Folders and files with other names are left alone. Throws
 * ANL-1205 where nothing is found and ANL-1203, with the file, where a task cannot be read; nothing is read in part.
 */
export async function readSource(directory: string): Promise<OfficeBenchSource> {
  const given = resolve(directory);
  const tasksFolder = basename(given) === 'tasks' ? given : join(given, 'tasks');
  const names = await numbered(tasksFolder, taskName);
  const tasks: SourceTask[] = [];
  for (const name of names) {
    const task = await readTask(join(tasksFolder, name), name);
    if (task.subtasks.length > 0) tasks.push(task);
  }
  if (tasks.length === 0) throw new AnnealError('ANL-1205', { directory, source: 'OfficeBench' });
  const root = resolve(tasksFolder, '..');
  return { root, tasks, licence: await readFile(join(root, 'LICENSE'), 'utf8').catch(() => null) };
}

async function readTask(folder: string, id: string): Promise<SourceTask> {
  const subtasks: SourceSubtask[] = [];
  for (const name of await numbered(join(folder, 'subtasks'), subtaskName)) {
    subtasks.push(await readSubtask(join(folder, 'subtasks', name), id, Number.parseInt(name, 10)));
  }
  const testbed = (await listTree(join(folder, 'testbed'), id)) ?? emptyTree;
  const references = (await listTree(join(folder, 'reference'), id)) ?? emptyTree;
  return { id, testbed, references, subtasks };
}

async function readSubtask(file: string, task: string, number: number): Promise<SourceSubtask> {
  const refuse = (why: string) => new AnnealError('ANL-1203', { task: `${task}/${number}` }, { at: [{ file }], why });
  const status = await stat(file);
  if (!status.isFile() || status.size > 1_000_000) throw refuse('not a regular file of at most 1000000 bytes');
  const bytes = await readFile(file);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw refuse(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = UpstreamSubtask.safeParse(value);
  if (!parsed.success) throw refuse(z.prettifyError(parsed.error).replaceAll(/\s+/g, ' '));
  try {
    const items = parsed.data.evaluation.map(convertItem);
    return { number, sha256: sha256(bytes), subtask: parsed.data, items };
  } catch (error) {
    if (error instanceof UnsafePath || error instanceof UnknownEvaluation) throw refuse(error.message);
    throw error;
  }
}

/** Names in a folder that fit, ordered by the numbers in them. */
async function numbered(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const [whole, major = '0', minor = '0'] = pattern.exec(name) ?? [];
      return whole === undefined ? [] : [{ name, major: Number(major), minor: Number(minor) }];
    })
    .toSorted((one, other) => one.major - other.major || one.minor - other.minor)
    .map(({ name }) => name);
}
