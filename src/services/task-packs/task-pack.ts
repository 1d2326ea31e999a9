import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { treeDigest } from '../../adapters/tree-digest.ts';
import { AnnealError } from '../../domain/errors.ts';
import { toldStorageError } from '../../domain/told-storage-error.ts';
import { type DataHome, makeFolder } from '../data-home/data-home.ts';
import { packageRoot } from '../package-root.ts';
import { environmentDirectory } from '../python/python-environments.ts';

/** Where the sources of the built-in pack lie. */
export const officeMiniSource: string = join(packageRoot, 'tasks', 'office-mini');

/** Builds that this process has begun, by where the pack will lie: whoever asks meanwhile waits for the same one. */
const building = new Map<string, Promise<void>>();

/**
 * Build the built-in pack into the data home: sources plus generated inputs, the same bytes on any machine.
 * Idempotent per version of the sources, at once too; needs the `solver` environment; at most a few seconds.
 * @throws AnnealError ANL-1018 for a data home that may not be written, ANL-3013 or ANL-3012 where its disk is full or
 * broken, ANL-1203 when the builder fails.
 */
export async function ensureOfficeMini(home: DataHome): Promise<string> {
  const target = join(home.packs, `office-mini-${treeDigest(officeMiniSource).slice(0, 12)}`);
  if (existsSync(target)) return target;
  const build = building.get(target) ?? buildOfficeMini(home, target).finally(() => building.delete(target));
  building.set(target, build);
  await build;
  return target;
}

async function buildOfficeMini(home: DataHome, target: string): Promise<void> {
  makeFolder(home, home.packs);
  const part = `${target}.${process.pid}.part`;
  rmSync(part, { recursive: true, force: true });
  const python = join(environmentDirectory(home, 'solver'), 'bin', 'python');
  const result = await execa(python, ['-I', join(officeMiniSource, 'build.py'), part], { reject: false, all: true });
  if (result.exitCode !== 0) {
    rmSync(part, { recursive: true, force: true });
    throw builderError(target, result.all);
  }
  try {
    renameSync(part, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(part, { recursive: true, force: true });
  }
}

function builderError(target: string, output: string): AnnealError {
  const why = output.trim().split('\n').slice(-3).join(' | ');
  return (
    toldStorageError(output, target) ??
    new AnnealError('ANL-1203', { task: 'office-mini' }, { why, next: 'anneal doctor' })
  );
}
