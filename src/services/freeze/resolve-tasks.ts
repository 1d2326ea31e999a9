import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { byteDigest } from '../../adapters/byte-digest.ts';
import { readTaskDirectory, type TaskDirectory } from '../../adapters/task-directory.ts';
import { listTree } from '../../adapters/tree-digest.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { ExperimentConfig } from '../../schema/experiment-config.ts';
import type { SplitEntry } from './check-splits.ts';
import type { YamlSource } from './read-yaml.ts';

/** Files shorter than this carry too little to join two tasks. */
const smallestInput = 64;

/**
 * Find and read the directory of every task that the splits name. `packs` maps a built-in pack to its built folder.
 * @throws AnnealError ANL-1201 for a task that is not there, ANL-1206 for one that needs vision, and whatever its files lack.
 */
export function resolveTasks(
  config: YamlSource<ExperimentConfig>,
  entries: readonly SplitEntry[],
  packs: Readonly<Record<string, string>>,
): Map<string, TaskDirectory> {
  const folders = new Map<string, string>();
  for (const source of config.value.tasks) {
    if ('pack' in source) folders.set(source.pack, packs[source.pack] ?? '');
    else folders.set(source.name, resolve(dirname(config.file), source.directory));
  }
  return new Map(
    entries.map(({ task, at }) => {
      const [source = '', name = ''] = task.split('/');
      const folder = folders.get(source);
      if (folder === undefined) {
        const available = [...folders.keys()].join(', ');
        throw new AnnealError(
          'ANL-1201',
          { task },
          {
            at: [at],
            why: `no task source "${source}"; there are: ${available}`,
            notSpent: 'nothing was started, 0 tokens spent',
          },
        );
      }
      const found = locate(task, join(folder, name), at);
      if (found.toml.metadata.needs_vision) {
        throw new AnnealError(
          'ANL-1206',
          { feature: 'metadata.needs_vision', task },
          {
            at: [at],
            why: 'no picture reaches a model here: the gateway lets text through alone',
            notSpent: 'nothing was started, 0 tokens spent',
          },
        );
      }
      return [task, found] as const;
    }),
  );
}

function locate(task: SplitEntry['task'], path: string, at: SplitEntry['at']): TaskDirectory {
  try {
    return readTaskDirectory(task, path);
  } catch (error) {
    if (!(error instanceof AnnealError) || error.code !== 'ANL-1201') throw error;
    throw new AnnealError(
      'ANL-1201',
      { task },
      { at: [at], why: `${path} does not exist`, notSpent: 'nothing was started, 0 tokens spent' },
    );
  }
}

/** SHA-256 of every input file of a task that is long enough to mean something. */
export function inputDigests(task: TaskDirectory): string[] {
  const environment = join(task.path, 'environment');
  return listTree(environment)
    .filter((path) => path !== 'Dockerfile')
    .map((path) => readFileSync(join(environment, path)))
    .filter((bytes) => bytes.byteLength >= smallestInput)
    .map((bytes) => byteDigest(bytes));
}
