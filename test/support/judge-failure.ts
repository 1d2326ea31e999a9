import type { AttemptRecord } from '../../src/schema/record.ts';
import type { EvidenceCopy } from './evidence-copy.ts';

/** The first final attempt as one whose judge failed, in record and ledger. Returns it as it was. */
export function plantJudgeFailure(copy: EvidenceCopy): AttemptRecord {
  const isFinal = (record: { kind: string }): boolean =>
    record.kind === 'attempt' && 'phase' in record && record.phase === 'final';
  const attempt = copy.records().find(isFinal) as AttemptRecord;
  const { key, epoch } = attempt;
  const failed = { kind: 'unscored_infra', phase: 'judge', reason: 'the judge ended by exited 3' };
  const { judge: _judge, ...blobs } = attempt.blobs;
  const forged = { outcome: failed, judged: null, judges: null, blobs };
  copy.forge(isFinal, (record) => ({ ...record, ...forged }), 'both');
  copy.sql(`UPDATE effect SET result = ? WHERE key = ?`, [
    JSON.stringify({ outcome: failed, stopped: false }),
    `recorded:${key}:${epoch}`,
  ]);
  copy.sql(`UPDATE effect SET result = ? WHERE key = ?`, [
    '{"kind":"failed","reason":"exited 3"}',
    `judge:${key}:${epoch}`,
  ]);
  copy.sql(`DELETE FROM effect WHERE key = ?`, [`canonical:${key}`]);
  return attempt;
}
