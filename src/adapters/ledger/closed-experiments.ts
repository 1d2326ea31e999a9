import { closedKey } from '../../domain/is-closed.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { RecordAppend } from '../../schema/gateway.ts';
import type { LedgerDatabase } from './open-database.ts';

/** Which experiments are closed, by the record that closes them. */
export interface ClosedExperiments {
  readonly isClosed: (experiment: string) => boolean;
  /** @throws AnnealError ANL-6010 for one that is closed. */
  readonly refuse: (experiment: string) => void;
  /** To be called before a record is appended. */
  readonly append: (record: Pick<RecordAppend, 'experimentId' | 'stream' | 'key'>) => void;
}

/** This process is the ledger's only writer: an experiment that was found open stays so until its closing record comes. */
export function createClosedExperiments(database: LedgerDatabase): ClosedExperiments {
  const find = database.prepare('SELECT 1 FROM record WHERE experiment = ? AND stream = ? AND key = ?');
  const open = new Set<string>();
  const isClosed = (experiment: string): boolean => {
    if (open.has(experiment)) return false;
    const closed = find.get([experiment, closedKey.stream, closedKey.key]) !== undefined;
    if (!closed) open.add(experiment);
    return closed;
  };
  return {
    isClosed,
    refuse: (experiment) => {
      if (isClosed(experiment)) throw new AnnealError('ANL-6010', { experiment });
    },
    append: ({ experimentId, stream, key }) => {
      if (stream === closedKey.stream && key === closedKey.key) open.delete(experimentId);
    },
  };
}
