import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { HarnessDigest } from '../../schema/ids.ts';
import type { MeasuredRevision } from '../../schema/report.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import { splitNumbers } from './split-numbers.ts';

/** The four columns of one revision. */
export function measuredNumbers(
  lock: ExperimentLock,
  attempts: CanonicalAttempts,
  digest: HarnessDigest,
  sealed: boolean,
): Pick<MeasuredRevision, 'selection' | 'inDomain' | 'crossOffice' | 'all'> {
  return {
    selection: splitNumbers(lock, attempts, digest, 'selection', sealed),
    inDomain: splitNumbers(lock, attempts, digest, 'inDomain', sealed),
    crossOffice: splitNumbers(lock, attempts, digest, 'crossOffice', sealed),
    all: splitNumbers(lock, attempts, digest, 'all', sealed),
  };
}
