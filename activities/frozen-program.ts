import { AnnealError } from '../src/domain/errors.ts';
import type { ExperimentLock, Program } from '../src/schema/experiment-lock.ts';
import type { Sha256 } from '../src/schema/ids.ts';
import type { ActivityDependencies } from './dependencies.ts';

const called: Readonly<Record<Program, string>> = {
  judges: 'the judges are not those',
  runner: 'the runner of its harnesses is not the one',
  environments: 'the locked Python environments are not those',
};

/**
 * Digest of one of the programs. Only what the experiment was frozen with may run and judge: attempts under two runners and
 * scores of two judges do not belong in one mean.
 * @throws AnnealError ANL-2004, which waits until the frozen one is there again.
 */
export function frozenProgram(
  { programDigests }: ActivityDependencies,
  lock: ExperimentLock,
  program: Program,
): Sha256 {
  const digest = programDigests[program]();
  const frozen = lock.identity[program];
  if (digest === frozen) return digest;
  const why = `${called[program]} it was frozen with (sha256:${frozen.slice(0, 12)}…)`;
  throw new AnnealError('ANL-2004', { experiment: lock.id }, { why, next: 'use the anneal that froze it' });
}
