import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { treeDigest } from '../../adapters/tree-digest.ts';
import type { Identity } from '../../schema/experiment-lock.ts';
import type { Sha256 } from '../../schema/ids.ts';
import { packageRoot } from '../package-root.ts';
import { environmentLockDigest } from '../python/python-environments.ts';

/** Digests of what anneal itself brings to a number, as it is on disk now: what `Identity` freezes under the same names. */
export const programDigests: Readonly<
  Record<keyof Pick<Identity, 'judges' | 'runner' | 'environments'>, () => Sha256>
> = {
  judges: () => treeDigest(join(packageRoot, 'judges')),
  runner: () => treeDigest(join(packageRoot, 'harnesses', 'runner')),
  environments: () =>
    createHash('sha256')
      .update(`${environmentLockDigest('solver')}${environmentLockDigest('runner')}`)
      .digest('hex') as Sha256,
};
