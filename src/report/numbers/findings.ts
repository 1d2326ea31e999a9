import { attemptsBefore } from '../../domain/attempts-before.ts';
import { nameChampions } from '../../domain/champions.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ArmName } from '../../schema/ids.ts';
import type { ChampionRecord, ExperimentRecord, QueryRecord } from '../../schema/record.ts';
import type { Report } from '../../schema/report.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import { revisionName } from '../revisions.ts';
import { splitNumbers } from './split-numbers.ts';

type Finding = Report['findings'][number];

/** Scores are sums of few terms in one order: a larger difference is no rounding. */
const tolerance = 1e-9;

/** Contradictions between what was recorded at the time and what the attempts say that stood then. */
export function findingsOf(lock: ExperimentLock, records: readonly ExperimentRecord[]): Finding[] {
  const queries = records.filter((record) => record.kind === 'query' && record.state === 'disclosed') as QueryRecord[];
  const champions = records.filter((record) => record.kind === 'champion');
  return [
    ...queries.flatMap((query) => selectionFinding(lock, attemptsBefore(records, query), query)),
    ...lock.identity.arms.flatMap(({ name }) => championFindings(name, queries, champions)),
    ...unfrozenFindings(lock, records, champions),
    ...records.flatMap((record) =>
      record.kind === 'usage' && record.reported > record.charged
        ? [
            {
              code: 'reported-above-charged',
              text: `${record.arm} ${record.role}: ${record.reported} tokens reported, ${record.charged} charged`,
            },
          ]
        : [],
    ),
  ];
}

function selectionFinding(lock: ExperimentLock, attempts: CanonicalAttempts, query: QueryRecord): Finding[] {
  const { mean } = splitNumbers(lock, attempts, query.revision, 'selection', false);
  if (mean !== null && query.exact !== null && Math.abs(mean - query.exact) <= tolerance) return [];
  const name = `${query.arm} ${revisionName(query.candidate)}`;
  return [
    {
      code: 'selection-differs',
      text: `${name}: ${query.exact} was disclosed, its attempts give ${mean ?? 'no number'}`,
    },
  ];
}

function championFindings(
  arm: ArmName,
  queries: readonly QueryRecord[],
  champions: readonly ChampionRecord[],
): Finding[] {
  const frozen = champions.filter((champion) => champion.arm === arm);
  if (frozen.length === 0) return [];
  const named = nameChampions(
    queries
      .filter((query) => query.arm === arm)
      .map(({ revision, candidate, exact }) => ({ revision, candidate, exactPoints: exact }))
      .toSorted((left, right) => left.candidate - right.candidate),
  );
  return frozen.flatMap(({ label, revision }) => {
    const champion = named[label];
    if (champion.kind === 'champion' && champion.revision === revision) return [];
    return [{ code: 'champion-differs', text: `${arm}: the frozen ${label} is not the best on selection` }];
  });
}

function unfrozenFindings(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  champions: readonly ChampionRecord[],
): Finding[] {
  const frozen = new Set<string>([lock.identity.harness, ...champions.map(({ revision }) => revision)]);
  const others = records.filter(
    (record) => record.kind === 'attempt' && record.phase === 'final' && !frozen.has(record.revision),
  );
  return others.length === 0
    ? []
    : [{ code: 'final-unfrozen', text: `${others.length} final attempts of a revision that was not frozen` }];
}
