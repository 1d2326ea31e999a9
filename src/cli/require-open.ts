import { AnnealError } from '../domain/errors.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import { isExperimentClosed } from '../services/data-home/experiment-closed.ts';

/**
 * Refuse to steer what ended for good, from its records alone: no service is asked. `action` is what it cannot be:
 * `paused`, `resumed`, `cancelled`. @throws AnnealError ANL-1011.
 */
export function requireOpen(home: DataHome, { id }: ExperimentLock, action: string): void {
  if (!isExperimentClosed(home, id)) return;
  const next = `anneal report ${id}`;
  throw new AnnealError('ANL-1011', { experiment: id, state: 'closed', action }, { next });
}
