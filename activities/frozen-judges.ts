import { AnnealError } from '../src/domain/errors.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { Sha256 } from '../src/schema/ids.ts';
import type { ActivityDependencies } from './dependencies.ts';

/**
 * Digest of the judges. Only the judges that the experiment was frozen with may judge: scores of two judges do not belong in one mean.
 * @throws AnnealError ANL-2004, which waits until they are there again.
 */
export function frozenJudges({ judgesDigest }: ActivityDependencies, lock: ExperimentLock): Sha256 {
  const judges = judgesDigest();
  if (judges === lock.identity.judges) return judges;
  const why = `the judges are not those it was frozen with (sha256:${lock.identity.judges.slice(0, 12)}…)`;
  throw new AnnealError('ANL-2004', { experiment: lock.id }, { why, next: 'use the anneal that froze it' });
}
