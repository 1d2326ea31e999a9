import { attemptsBefore } from '../../domain/attempts-before.ts';
import { disclose } from '../../domain/disclosure.ts';
import { splitNumbers } from '../../report/numbers/split-numbers.ts';
import type { QueryRecord } from '../../schema/record.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, recordsOf, recordsOfKind, type AuditSources } from '../audit-sources.ts';
import { isOnRecord } from '../is-on-record.ts';
import { runAnew } from '../run-anew.ts';

const tolerance = 1e-9;

/** No arm learnt more numbers than it may, and each is the rounded mean of its attempts. */
export const queriesCheck: AuditCheck = {
  name: 'queries',
  run: (sources) => {
    const { lock, ledger } = sources;
    const recorded = recordsOfKind(sources, 'query');
    const booked = ledger.queries(lock.id);
    const faults: string[] = [];
    const otherMeans: string[] = [];
    const used: string[] = [];
    for (const { name: arm } of lock.identity.arms) {
      const rows = booked.filter((row) => row.arm === arm && row.state !== 'released');
      const cap = ledger.queryCap(lock.id, arm);
      const disclosed = recorded.filter((record) => record.arm === arm && record.state === 'disclosed');
      used.push(`${arm} ${rows.length} of ${cap}`);
      if (rows.length > cap) faults.push(`${arm}: ${rows.length} queries booked, ${cap} allowed`);
      const counted = disclosed.filter(({ query }) => query !== null);
      if (counted.length > cap) faults.push(`${arm}: ${counted.length} numbers disclosed, ${cap} allowed`);
      rows.forEach(({ query }, index) => {
        if (query !== index + 1) faults.push(`${arm}: query ${query} stands at place ${index + 1}`);
      });
      for (const row of rows.filter(({ state }) => state === 'disclosed')) {
        const record = counted.find(({ query, revision }) => query === row.query && revision === row.revision);
        // A number is booked before its record is written.
        if (record === undefined) {
          if (isClosed(sources)) faults.push(`${arm}: query ${row.query} is booked and has no record`);
        } else if (record.exact !== row.exact || record.disclosed !== row.shown) {
          faults.push(
            `${arm}: query ${row.query} gave ${row.shown ?? 'nothing'}, its record says ${record.disclosed ?? 'nothing'}`,
          );
        }
      }
      for (const record of counted) {
        if (!rows.some(({ query, revision }) => query === record.query && revision === record.revision)) {
          faults.push(`${arm}: query ${record.query ?? ''} is on record and was not booked`);
        }
        otherMeans.push(...numberFaults(sources, record));
      }
      faults.push(...disclosed.flatMap((record) => candidateFaults(sources, record)));
      const bookedFor = new Set(booked.filter((row) => row.arm === arm).map(({ revision }) => revision));
      const unbooked = recordsOfKind(sources, 'attempt').filter(
        (attempt) => attempt.arm === arm && attempt.split === 'selection' && !bookedFor.has(attempt.revision),
      );
      for (const revision of new Set(unbooked.map((attempt) => attempt.revision))) {
        faults.push(`${arm}: ${revision.slice(0, 12)} was measured on selection and no query was booked`);
      }
    }
    return judge(
      [...faults, ...otherMeans],
      `${used.join(', ')}; every number is the rounded mean of its attempts`,
      faults.length > 0
        ? `the arm knows more than it may: do not claim its champion; ${runAnew}`
        : 'restore the records of these attempts and queries from a copy, records and judgements name those that were changed; do not claim the champion until then',
    );
  },
};

/** A number is that of the candidate whose files have its digest: ties between champions go by this place. */
function candidateFaults(sources: AuditSources, record: QueryRecord): string[] {
  const { arm, candidate, revision, query } = record;
  return isOnRecord(sources, { arm, candidate, revision })
    ? []
    : [`${arm}: query ${query ?? ''} is told of candidate ${candidate}, whose digest is another one`];
}

function numberFaults(sources: AuditSources, record: QueryRecord): string[] {
  const { lock } = sources;
  const { arm, query, revision, exact, disclosed, scored, planned } = record;
  const attempts = attemptsBefore(recordsOf(sources), record);
  const numbers = splitNumbers(lock, attempts, revision, 'selection', false);
  const name = `${arm}: query ${query ?? ''}`;
  const step = lock.identity.reporting.disclosurePoints;
  return [
    ...(numbers.mean !== null && exact !== null && Math.abs(numbers.mean - exact) <= tolerance
      ? []
      : [`${name}: ${exact ?? 'nothing'} was disclosed, its attempts give ${numbers.mean ?? 'no number'}`]),
    ...(exact === null || disclosed === disclose(exact, step)
      ? []
      : [`${name} told ${disclosed ?? 'nothing'} for ${exact}`]),
    ...(planned === numbers.planned && scored === numbers.scored
      ? []
      : [`${name} was over ${scored}/${planned} tasks, the plan has ${numbers.scored}/${numbers.planned}`]),
  ];
}
