import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/services/package-root.ts';
import type { CallTarget } from '../call-target.ts';

/** Another gateway, running before the same provider. */
export interface Peer {
  readonly target: CallTarget;
  readonly child: ChildProcess;
}

/** Where peers are installed; kept between runs. */
export const peersFolder = join(packageRoot, '.anneal-bench', 'peers');
