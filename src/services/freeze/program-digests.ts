import { join } from 'node:path';
import { byteDigest } from '../../adapters/byte-digest.ts';
import { treeDigest } from '../../adapters/tree-digest.ts';
import type { Program } from '../../schema/experiment-lock.ts';
import type { Sha256 } from '../../schema/ids.ts';
import { packageRoot } from '../package-root.ts';
import { environmentLockDigest } from '../python/python-environments.ts';

/** Digests of what anneal itself brings to a number, as it is on disk now: what `Identity` freezes under the same names. */
export const programDigests: Readonly<Record<Program, () => Sha256>> = {
  judges: () => treeDigest(join(packageRoot, 'judges')),
  runner: () => treeDigest(join(packageRoot, 'harnesses', 'runner')),
  environments: () => byteDigest(`${environmentLockDigest('solver')}${environmentLockDigest('runner')}`),
};
