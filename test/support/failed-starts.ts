import type { Found } from '../../src/audit/audit-check.ts';
import { barrierCheck } from '../../src/audit/checks/barrier.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import { type AttemptRecord, ExperimentRecord } from '../../src/schema/record.ts';
import type { DataHome } from '../../src/services/data-home/data-home.ts';
import { gatherAuditSources } from '../../src/services/data-home/gather-audit-sources.ts';
import { infrastructure } from './record-builders.ts';

/** What the audit says of the barrier, had infrastructure failed a first start of every feedback attempt. */
export async function barrierAfterFailedStarts(home: DataHome, lock: ExperimentLock): Promise<Found> {
  const sources = await gatherAuditSources(home, lock);
  const failed = { outcome: infrastructure(), judged: null, judges: null, blobs: {} };
  const stored = sources.stored.flatMap((entry) =>
    isFeedback(entry.body)
      ? [
          { ...entry, body: { ...entry.body, ...failed } },
          { ...entry, body: { ...entry.body, epoch: 2 } },
        ]
      : [entry],
  );
  try {
    if (stored.length === sources.stored.length) throw new Error('no feedback attempt is on record');
    return await barrierCheck.run({ ...sources, stored });
  } finally {
    sources.ledger.close();
  }
}

function isFeedback(body: unknown): body is AttemptRecord {
  const record = ExperimentRecord.safeParse(body).data;
  return record?.kind === 'attempt' && record.split === 'feedback';
}
