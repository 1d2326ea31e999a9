import { nameChampions } from '../../domain/champions.ts';
import { frozenEffect } from '../../domain/effect-keys.ts';
import type { ChampionRecord } from '../../schema/record.ts';
import { ChampionLabel } from '../../schema/report.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, recordsOfKind, type AuditSources } from '../audit-sources.ts';
import { isOnRecord } from '../is-on-record.ts';
import { runAnew } from '../run-anew.ts';

/** Champions are the best by the disclosed numbers, frozen before any final attempt, and finals ran from nothing else. */
export const frozenCheck: AuditCheck = {
  name: 'frozen',
  run: async (sources) => {
    const { lock, ledger, lines } = sources;
    const champions = recordsOfKind(sources, 'champion');
    const digests = [...new Set([lock.identity.harness, ...champions.map(({ revision }) => revision)])];
    const booked = ledger.effect(frozenEffect(lock.id)) as { readonly digests?: readonly string[] } | null;
    const finals = lines.flatMap(({ seq, record }) =>
      record?.kind === 'attempt' && record.phase === 'final' ? [{ seq: seq ?? 0, record }] : [],
    );
    const lastFreeze = Math.max(0, ...lines.map(({ seq, record }) => (record?.kind === 'champion' ? (seq ?? 0) : 0)));
    const frozen = new Set<string>(booked?.digests ?? []);
    const faults = [
      ...(booked === null && champions.length > 0 ? ['champions stand on record, nothing was frozen'] : []),
      ...(booked !== null && !agree(frozen, digests, isClosed(sources))
        ? [`frozen: ${short(frozen)}; champions on record: ${short(digests)}`]
        : []),
      ...finals
        .filter(({ record }) => !frozen.has(record.revision))
        .map(
          ({ record }) =>
            `${record.task} ${record.key.slice(0, 12)} is a final of ${record.revision.slice(0, 12)}, which was not frozen`,
        ),
      ...finals
        .filter(({ seq }) => seq < lastFreeze)
        .map(({ record }) => `${record.task} ${record.key.slice(0, 12)} was measured before the freeze`),
      ...lock.identity.arms.flatMap(({ name }) => bestFaults(sources, name, champions, booked !== null)),
      ...champions.flatMap((champion) => commitFaults(sources, champion)),
    ];
    for (const { arm, label, tag, commit } of champions) {
      const named = await sources.resolve(`refs/tags/${tag}`);
      if (named !== commit) faults.push(`${arm} ${label}: tag ${tag} names ${named?.slice(0, 12) ?? 'nothing'}`);
    }
    return judge(
      faults,
      booked === null
        ? 'nothing is frozen yet'
        : `${finals.length} finals ran from the ${frozen.size} frozen digests, after the freeze`,
      `do not claim these finals; restore the data home from a copy, or ${runAnew}`,
    );
  },
};

/** Each label that the disclosed numbers give somebody stands on record once all is frozen, and is theirs. */
function bestFaults(
  sources: AuditSources,
  arm: string,
  champions: readonly ChampionRecord[],
  isFrozen: boolean,
): string[] {
  const frozen = champions.filter((champion) => champion.arm === arm);
  const named = nameChampions(
    recordsOfKind(sources, 'query')
      .filter((query) => query.arm === arm && query.state === 'disclosed')
      .map(({ revision, candidate, exact }) => ({ revision, candidate, exactPoints: exact }))
      .toSorted((left, right) => left.candidate - right.candidate),
  );
  const lost = ChampionLabel.options.filter(
    (label) =>
      named[label].kind === 'champion' && isFrozen && isClosed(sources) && !frozen.some((row) => row.label === label),
  );
  return [
    ...frozen
      .filter(({ label, revision, candidate }) => {
        const best = named[label];
        return best.kind !== 'champion' || best.revision !== revision || best.candidate !== candidate;
      })
      .map(({ label }) => `${arm}: the frozen ${label} is not the best by the disclosed numbers`),
    ...lost.map((label) => `${arm}: no ${label} is on record, the disclosed numbers give one`),
  ];
}

/** What a champion's tag names is the revision that was measured under its digest. */
function commitFaults(sources: AuditSources, champion: ChampionRecord): string[] {
  if (isOnRecord(sources, champion)) return [];
  return [`${champion.arm} ${champion.label}: commit ${champion.commit.slice(0, 12)} is not that of its revision`];
}

/** Digests are booked before the records of the champions are written. */
function agree(frozen: ReadonlySet<string>, digests: readonly string[], closed: boolean): boolean {
  return digests.every((digest) => frozen.has(digest)) && (!closed || frozen.size === digests.length);
}

function short(digests: Iterable<string>): string {
  return [...digests].map((digest) => digest.slice(0, 12)).join(', ');
}
