import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentRecord } from '../../src/schema/record.ts';
import type { EvidenceCopy } from './evidence-copy.ts';

/** A fault as it is planted in a copy of a finished experiment, and the checks that have to name it. */
export interface PlantedFault {
  readonly fault: string;
  readonly plant: (copy: EvidenceCopy) => void | Promise<void>;
  readonly checks: readonly string[];
}

type Kind = ExperimentRecord['kind'];

const ofKind =
  (kind: Kind) =>
  (record: ExperimentRecord): boolean =>
    record.kind === kind;
const finalAttempt = (record: ExperimentRecord): boolean => record.kind === 'attempt' && record.phase === 'final';
const otherDigest = 'f'.repeat(64);
const outcome = { kind: 'scored', reward: 0.123 };

/** Forged records, rows and files, one each. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    fault: 'a reward that was changed in a file',
    plant: (copy) => copy.forge(finalAttempt, (record) => ({ ...record, outcome }), 'files'),
    checks: ['records', 'judgements', 'report'],
  },
  {
    fault: 'a reward that was changed in file and ledger alike',
    plant: (copy) => copy.forge(finalAttempt, (record) => ({ ...record, outcome }), 'both'),
    checks: ['judgements', 'report'],
  },
  {
    fault: 'a judge.json that was changed',
    plant: (copy) => {
      const attempt = copy.records().find(finalAttempt);
      const digest = attempt?.kind === 'attempt' ? attempt.blobs['judge'] : undefined;
      writeFileSync(copy.blobPath(digest ?? ''), '{}');
    },
    checks: ['judgements'],
  },
  {
    fault: 'a line that is no record',
    plant: (copy) => {
      const file = join(copy.folder, 'records', 'decisions.jsonl');
      writeFileSync(file, `${readFileSync(file, 'utf8')}{"seq":\n`);
    },
    checks: ['records'],
  },
  {
    fault: 'a record that is missing in the ledger',
    plant: (copy) => copy.sql('DELETE FROM record WHERE seq = 5'),
    checks: ['records'],
  },
  {
    fault: 'a record file that is missing',
    plant: (copy) => writeFileSync(join(copy.folder, 'records', 'disclosures.jsonl'), ''),
    checks: ['records', 'sealed'],
  },
  {
    fault: 'a record of another world',
    plant: (copy) => copy.forge(finalAttempt, (record) => ({ ...record, world: 'help' }), 'both'),
    checks: ['config'],
  },
  {
    fault: 'a request row that is missing',
    plant: (copy) =>
      copy.sql(
        'DELETE FROM call WHERE rowid = (SELECT rowid FROM call LIMIT 1)'.replace(
          'rowid = (SELECT rowid',
          '(attempt_key, epoch, seq) = (SELECT attempt_key, epoch, seq',
        ),
      ),
    checks: ['ledger'],
  },
  {
    fault: 'a request row that reported more than it was charged',
    plant: (copy) => copy.sql("UPDATE call SET charged = 1 WHERE seq = 1 AND state = 'settled'"),
    checks: ['ledger'],
  },
  {
    fault: 'a request row that never ended',
    plant: (copy) =>
      copy.sql("UPDATE call SET state = 'reserved', charged = NULL, basis = NULL WHERE seq = 1 AND role = 'updater'"),
    checks: ['ledger'],
  },
  {
    fault: 'a total that is missing',
    plant: (copy) => copy.sql("DELETE FROM balance WHERE role = 'updater'"),
    checks: ['ledger'],
  },
  {
    fault: 'a budget that is missing',
    plant: (copy) => copy.sql("DELETE FROM budget WHERE kind = 'updater'"),
    checks: ['ledger'],
  },
  {
    fault: 'a budget that is another one',
    plant: (copy) => copy.sql("UPDATE budget SET limit_value = limit_value + 1 WHERE kind = 'updater'"),
    checks: ['ledger'],
  },
  {
    fault: 'a total on record that is smaller than its rows',
    plant: (copy) => copy.forge(ofKind('usage'), (record) => ({ ...record, charged: 1, reported: 1 }), 'both'),
    checks: ['ledger', 'report'],
  },
  {
    fault: 'an answer that was changed',
    plant: (copy) => copy.sql("UPDATE answer SET body = '{}' WHERE seq = 1"),
    checks: ['answers'],
  },
  {
    fault: 'an attempt by other judges',
    plant: (copy) => copy.forge(finalAttempt, (record) => ({ ...record, judges: otherDigest }), 'both'),
    checks: ['judges'],
  },
  {
    fault: 'an attempt that follows a score',
    plant: (copy) => {
      const attempt = copy.records().find(finalAttempt);
      copy.append('attempts.opened.jsonl', { ...attempt, epoch: 2, outcome: { kind: 'scored', reward: 1 } }, 'forged');
    },
    checks: ['denominators'],
  },
  {
    fault: 'an attempt of a task that was not planned',
    plant: (copy) => copy.forge(finalAttempt, (record) => ({ ...record, task: 'office-mini/x2' }), 'both'),
    checks: ['denominators'],
  },
  {
    fault: 'a planned final that nobody ran',
    plant: (copy) =>
      copy.forge(
        finalAttempt,
        (record) => ({ ...record, kind: 'decision', arm: null, event: 'x', reason: '', figures: {} }),
        'both',
      ),
    checks: ['denominators'],
  },
  {
    fault: 'a number that was disclosed below full coverage',
    plant: (copy) => copy.forge(ofKind('query'), (record) => ({ ...record, scored: 1 }), 'both'),
    checks: ['coverage', 'queries'],
  },
  {
    fault: 'a query more than the cap in the ledger',
    plant: (copy) =>
      copy.sql(
        `INSERT INTO selection_query SELECT experiment, arm, '${otherDigest}', selection_digest, query + 1, state, exact, shown, changed_at
         FROM selection_query ORDER BY query DESC LIMIT 1`,
      ),
    checks: ['queries'],
  },
  {
    fault: 'a query on record that was never booked',
    plant: (copy) => {
      const query = copy.records().findLast(ofKind('query'));
      copy.append('queries.opened.jsonl', { ...query, query: 9 }, 'forged');
    },
    checks: ['queries'],
  },
  {
    fault: 'a revision whose digest is another one',
    plant: (copy) =>
      copy.forge(
        (record) => record.kind === 'revision' && record.candidate === 1,
        (record) => ({ ...record, revision: otherDigest }),
        'both',
      ),
    checks: ['revisions'],
  },
  {
    fault: 'frozen digests that are not those of the champions',
    plant: (copy) => copy.sql(`UPDATE effect SET result = '{"digests":["${otherDigest}"]}' WHERE key LIKE 'frozen:%'`),
    checks: ['frozen'],
  },
  {
    fault: 'a champion that is not the best',
    plant: (copy) => {
      const h0 = copy.lock.identity.harness;
      copy.forge(
        (record) => record.kind === 'champion' && record.label === 'gated',
        (record) => ({ ...record, candidate: 0, revision: h0 }),
        'both',
      );
    },
    checks: ['frozen', 'report'],
  },
  {
    fault: 'a judgement that was not booked',
    plant: (copy) => copy.sql("DELETE FROM effect WHERE key LIKE 'judge:%'"),
    checks: ['judgements'],
  },
  {
    fault: 'the result of a call of an updater that is missing',
    plant: (copy) => copy.sql("DELETE FROM effect WHERE key LIKE 'call:%'"),
    checks: ['blobs'],
  },
];
